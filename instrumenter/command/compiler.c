/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the user's compiler. In PATH, ompinst may have a compiler's name, come after a launcher
 * that starts ompinst again, or come before itself (CMAKE_C_COMPILER_LAUNCHER=ompinst and
 * CC=ompinst-gcc). In all these cases the search continues to the intended compiler, because
 * running ompinst again would never end.
 *
 * ccache, distcc, icecc and colorgcc also appear in PATH under compilers' names, and run the next
 * program with that name. If ompinst was called by that name, such a program before it in PATH is
 * what called it, and is not used. One after ompinst is used, and must not find ompinst, which
 * would run it again.
 */
#include "compiler.h"
#include "compiler-command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const launchers[] = {"ccache", "distcc", "sccache", "icecc", "buildcache"};

static bool is_launcher(const char *word)
{
	for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++)
		if (strcmp(path_base(word), launchers[i]) == 0)
			return true;
	return false;
}

static enum compiler_kind kind_of_name(const char *name)
{
	const char *base = path_base(name);

	if (strstr(base, "clang") != NULL || strstr(base, "flang") != NULL)
		return COMPILER_CLANG;
	if (strstr(base, "gcc") != NULL || strstr(base, "g++") != NULL ||
	    strstr(base, "gfortran") != NULL)
		return COMPILER_GCC;
	return COMPILER_UNKNOWN;
}

/* Which compiler `cc` is, following its links: cc -> gcc -> x86_64-linux-gnu-gcc-12. */
static enum compiler_kind kind_of_program(const char *name)
{
	char *program = search_program(name, SEARCH_ALL, NULL);
	char resolved[PATH_MAX];
	enum compiler_kind kind = COMPILER_UNKNOWN;

	if (program != NULL && realpath(program, resolved) != NULL)
		kind = kind_of_name(resolved);
	free(program);
	return kind;
}

bool compiler_name_is_cxx(const char *name)
{
	const char *base = path_base(name);
	size_t length = strlen(base);

	return strstr(base, "++") != NULL ||
	       (length >= 2 &&
		   (strcmp(base + length - 2, "xx") == 0 || strcmp(base + length - 2, "CC") == 0));
}

/* Parts of the names of Fortran compilers. */
static const char *const fortran_parts[] = {
    "fort", "flang", "ifx", "f77", "f90", "f95", "f03", "f08", "ftn"};

static bool contains_one(const char *base, const char *const *parts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strstr(base, parts[i]) != NULL)
			return true;
	return false;
}

/* gfortran-12, flang-new, mpif90, mpifort.openmpi, f95 ... */
static bool is_fortran_name(const char *name)
{
	return contains_one(
	    path_base(name), fortran_parts, sizeof fortran_parts / sizeof fortran_parts[0]);
}

bool compiler_name_is_known(const char *name)
{
	static const char *const parts[] = {"cc", "CC", "++", "cxx", "icx", "icpx", "dpcpp", "nvc",
	    "pgc", "xlc", "c89", "c99", "ompinst"};
	const char *base = path_base(name);

	return kind_of_name(name) != COMPILER_UNKNOWN || is_launcher(name) ||
	       strncmp(base, "mpi", 3) == 0 || is_fortran_name(name) ||
	       contains_one(base, parts, sizeof parts / sizeof parts[0]) ||
	       kind_of_program(name) != COMPILER_UNKNOWN;
}

bool compiler_exists(const char *name)
{
	char *program = search_program(name, SEARCH_ALL, NULL);
	bool found = program != NULL;

	free(program);
	return found;
}

/* `ompinst-gcc` as a word means gcc; any other word means itself. */
static const char *without_our_prefix(const char *word)
{
	const char *base = path_base(word);

	return strncmp(base, "ompinst-", 8) == 0 && base[8] != '\0' ? base + 8 : word;
}

enum compiler_kind compiler_kind_from_macros(const char *text)
{
	if (strstr(text, "#define __clang__ ") != NULL)
		return COMPILER_CLANG;
	return strstr(text, "#define __GNUC__ ") != NULL ? COMPILER_GCC : COMPILER_UNKNOWN;
}

/* Replaces the compiler's name by the program's path. */
static void replace_name(struct compiler *compiler)
{
	char *path = strdup(compiler->program);

	if (path != NULL) {
		free(compiler->words.items[0]);
		compiler->words.items[0] = path;
	}
}

size_t compiler_find(const char *const *vector, enum search_start start, struct compiler *compiler,
    char **error, int *code)
{
	size_t taken = 0;
	const char *last;

	*compiler = (struct compiler){0};
	/* A launcher variable and CC=ompinst together produce `ompinst ompinst gcc`. */
	while (strcmp(path_base(vector[taken]), "ompinst") == 0 && vector[taken + 1] != NULL)
		taken++;
	for (;;) {
		last = without_our_prefix(vector[taken++]);
		words_add(&compiler->words, last);
		if (!is_launcher(last) || vector[taken] == NULL || vector[taken][0] == '-')
			break;
	}
	const char *first = compiler->words.failed ? last : compiler->words.items[0];
	bool is_first;
	compiler->program = search_program(first, start, &is_first);
	if (compiler->program == NULL || compiler->words.failed) {
		int problem = errno;
		char *why = program_problem_text(first, problem);
		*code = program_exit_code(problem);
		if (why == NULL ||
		    asprintf(error, "cannot run the compiler '%s': %s", first, why) < 0)
			*error = NULL;
		free(why);
		compiler_finish(compiler);
		return 0;
	}
	for (size_t i = 0; i < compiler->words.count; i++)
		search_hide_ours(path_base(compiler->words.items[i]));
	/* gcc looks for its own parts next to the program that argv[0] names in PATH. */
	if (!is_first)
		replace_name(compiler);
	compiler->cxx_driver = compiler_name_is_cxx(last);
	compiler->fortran_driver = is_fortran_name(last);
	compiler->kind = kind_of_name(last);
	if (compiler->kind == COMPILER_UNKNOWN)
		compiler->kind = kind_of_program(last);
	return taken;
}

void compiler_finish(struct compiler *compiler)
{
	words_finish(&compiler->words);
	free(compiler->program);
	*compiler = (struct compiler){0};
}
