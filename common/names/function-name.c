/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compilers derive the names of the functions that they make from the user's function: f._omp_fn.0
 * (GCC), f.omp_outlined (clang), f..omp_par (flang). They also append what they did to a function:
 * f.constprop.0. C++ names are demangled by the program's own C++ library, or by libstdc++ if that
 * can be loaded; without either they stay mangled.
 */
#include "function-name.h"

#include "debug-tree.h"

#include <ctype.h>
#include <dlfcn.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From one of these on, a name is not the user's. */
static const char *const suffixes[] = {"._omp_fn.", "._omp_cpyfn.", ".omp_outlined", "..omp_par",
    ".omp_task_entry.", ".constprop.", ".isra.", ".part.", ".cold", ".lto_priv.", ".llvm.",
    ".localalias", ".extracted", "@"};

/* Returns how many bytes of the name are the user's. */
static size_t user_length(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		const char *found = strstr(name, suffixes[i]);
		if (found != NULL && (size_t)(found - name) < length)
			length = (size_t)(found - name);
	}
	/* A Fortran procedure contained in another one: "inner.3". */
	size_t digits = length;
	while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
		digits--;
	if (digits > 1 && digits < length && name[digits - 1] == '.')
		length = digits - 1;
	return length;
}

typedef char *demangler(const char *name, char *buffer, size_t *length, int *status);

static demangler *find_demangler(void)
{
	static const char symbol[] = "__cxa_demangle";
	void *found = dlsym(RTLD_DEFAULT, symbol);
	demangler *demangle;

	if (found == NULL) {
		/* It stays loaded, because its data may be in use by then. */
		void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
		found = library != NULL ? dlsym(library, symbol) : NULL;
		// cppcheck-suppress resourceLeak ; it stays loaded
	}
	memcpy(&demangle, &found, sizeof(demangle));
	return demangle;
}

static bool is_in_word(char character)
{
	return isalnum((unsigned char)character) || character == '_';
}

/* Returns whether an operator function's name begins there. */
static bool is_operator(const char *name, const char *at)
{
	const size_t length = strlen("operator");

	return strncmp(at, "operator", length) == 0 && !is_in_word(at[length]) &&
	       (at == name || !is_in_word(at[-1]));
}

/* Returns the place after the symbol of an operator, or after the type or word of other ones. */
static char *past_operator(char *at)
{
	static const char *const symbols[] = {
	    "()", "[]", "<=>", "<<=", ">>=", "->*", "->", "<<", ">>", "<=", ">=", "<", ">"};

	at += strlen("operator");
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		size_t length = strlen(symbols[i]);
		if (strncmp(at, symbols[i], length) != 0)
			continue;
		/* A blank divides it from a template's arguments. */
		return at + length + (at[length] == ' ');
	}
	return at + strcspn(at, "(<");
}

/* Returns the place after the bracket that closes the one there, or the end. */
static char *past_bracket(const char *name, char *at, int depth)
{
	const int close = *at == '(' ? ')' : *at == '<' ? '>' : *at == '{' ? '}' : ']';

	for (at++; *at != '\0' && *at != close;) {
		if (is_operator(name, at))
			at = past_operator(at);
		else if (strncmp(at, "->", 2) == 0)
			at += 2;
		else if (strchr("(<{[", *at) != NULL && depth < NAMES_DEPTH_MOST)
			at = past_bracket(name, at, depth + 1);
		else
			at++;
	}
	return at + (*at != '\0');
}

static char *past_qualifiers(char *at)
{
	static const char *const qualifiers[] = {" const", " volatile", " &&", " &"};

	for (size_t i = 0; i < sizeof(qualifiers) / sizeof(qualifiers[0]); i++)
		if (strncmp(at, qualifiers[i], strlen(qualifiers[i])) == 0)
			at += strlen(qualifiers[i]);
	return at;
}

/*
 * Cuts off the parameters, and the return type before a template's name. The parameters of a
 * function that something local belongs to stay: "f(int)::{lambda()#1}::operator()".
 */
static void shorten(char *name)
{
	char *start = name, *at = name;

	while (*at != '\0') {
		if (is_operator(name, at)) {
			at = past_operator(at);
		} else if (strchr("(<{[", *at) != NULL) {
			char *after = past_bracket(name, at, 0);
			if (*at == '(' && *past_qualifiers(after) == '\0')
				break;
			/* " const" belongs to the function before "::", or ends a return type. */
			if (*at == '(' && strncmp(past_qualifiers(after), "::", 2) == 0)
				after = past_qualifiers(after);
			at = after;
		} else {
			start = *at == ' ' ? at + 1 : start;
			at++;
		}
	}
	if (*at == '\0')
		return;
	*at = '\0';
	memmove(name, start, strlen(start) + 1);
}

static char *demangle(const char *name)
{
	demangler *function = find_demangler();
	int status = -1;
	char *demangled = function != NULL ? function(name, NULL, NULL, &status) : NULL;

	if (status != 0) {
		free(demangled);
		return NULL;
	}
	shorten(demangled);
	return demangled;
}

/* "__solver_MOD_relax" is relax in the module solver. */
static char *fortran_name(const char *name)
{
	const char *between = strstr(name, "_MOD_");
	char *text;

	if (strncmp(name, "__", 2) != 0 || between == NULL || between == name + 2)
		return NULL;
	if (asprintf(&text, "%.*s::%s", (int)(between - name - 2), name + 2,
		between + strlen("_MOD_")) < 0)
		return NULL;
	return text;
}

char *names_function_name_of_symbol(const char *symbol)
{
	size_t length = user_length(symbol);
	char *own = length > 0 ? strndup(symbol, length) : NULL, *better = NULL;

	if (own == NULL)
		return NULL;
	if (strncmp(own, "_Z", 2) == 0)
		better = demangle(own);
	else
		better = fortran_name(own);
	if (better == NULL)
		return own;
	free(own);
	return better;
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

bool names_function_is_outlined(Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_name);

	return name == NULL || strstr(name, "._omp_fn.") != NULL ||
	       strstr(name, "omp_outlined") != NULL || strstr(name, ".omp_task_entry.") != NULL ||
	       strstr(name, "..omp_par") != NULL;
}

bool names_function_is_made_of(Dwarf_Die *made, Dwarf_Die *of)
{
	const char *name = text_of(made, DW_AT_name);
	const char *end = name != NULL ? strstr(name, "..omp_par") : NULL;
	const char *own = end != NULL ? text_of(of, DW_AT_linkage_name) : NULL;

	return own != NULL && strlen(own) == (size_t)(end - name) &&
	       memcmp(own, name, (size_t)(end - name)) == 0;
}

char *names_function_name(Dwarf_Die *die)
{
	const char *linkage = text_of(die, DW_AT_linkage_name);
	const char *name = text_of(die, DW_AT_name);

	if (linkage == NULL)
		linkage = text_of(die, DW_AT_MIPS_linkage_name);
	/* In other languages, the linkage name is the source name with decorations: "inner.0". */
	if (linkage != NULL &&
	    (strncmp(linkage, "_Z", 2) == 0 || strstr(linkage, "_MOD_") != NULL)) {
		char *better = names_function_name_of_symbol(linkage);
		if (better != NULL && strncmp(better, "_Z", 2) != 0)
			return better;
		free(better);
	}
	return name != NULL ? names_function_name_of_symbol(name) : NULL;
}
