/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds common mistakes in `ompinst ...`. ompinst runs any word in the compiler's place, and passes
 * any word that begins with '-' on to the compiler. Without checking the words first, `ompinst
 * make` builds without instrumentation, and with `ompinst --foo gcc` cc reports an option that was
 * meant for ompinst.
 */
#include "mistake.h"
#include "compiler-command.h"
#include "compiler.h"
#include "common/nearest-word.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Programs that start compilers by themselves. */
static const char *const builders[] = {"make", "gmake", "bmake", "ninja", "samu", "cmake", "meson",
    "configure", "autogen.sh", "scons", "bazel", "waf", "sh", "bash", "dash", "zsh", "python3",
    "perl"};

/* ompinst's own commands, which come before all other words. */
static bool is_own_word(const char *word)
{
	static const char *const own_words[] = {
	    "run", "lint", "race", "sharing", "tune", "why", "stacks", "top", "snapshot", "trace"};

	for (size_t i = 0; i < sizeof own_words / sizeof own_words[0]; i++)
		if (strcmp(word, own_words[i]) == 0)
			return true;
	return false;
}

static bool is_builder(const char *word)
{
	for (size_t i = 0; i < sizeof builders / sizeof builders[0]; i++)
		if (strcmp(path_base(word), builders[i]) == 0)
			return true;
	return false;
}

/* A heap string, or NULL. */
static char *describe(const char *format, const char *first, const char *second)
{
	char *text = NULL;

	return asprintf(&text, format, first, second) < 0 ? NULL : text;
}

/* The first word that is neither an option nor an option's value, or NULL. */
static const char *first_input(const char *const *words)
{
	while (*words != NULL) {
		struct argument argument = argument_read(words[0], words[1]);
		if (argument.role == ARGUMENT_INPUT)
			return *words;
		words += argument.words;
	}
	return NULL;
}

static bool is_source(const char *word)
{
	enum language language = language_of_file(word, 0);

	return language == LANGUAGE_C || language == LANGUAGE_CXX;
}

/* Does an option show that these words are for the default compiler? */
static bool has_step(const char *const *words)
{
	const unsigned steps = ARGUMENT_TO_OBJECT | ARGUMENT_TO_ASSEMBLY | ARGUMENT_OUTPUT |
			       ARGUMENT_UNTOUCHED | ARGUMENT_SIDE_FILES | ARGUMENT_SAVE_TEMPS;

	while (*words != NULL) {
		struct argument argument = argument_read(words[0], words[1]);
		if ((argument.role & steps) != 0)
			return true;
		words += argument.words;
	}
	return false;
}

/* For a first word that is an option, but not one of ompinst's. */
static char *find_wrong_option(const char *const *words)
{
	const char *input = first_input(words);

	if (input != NULL && is_own_word(input) && access(input, F_OK) != 0)
		return describe(
		    "unknown option '%1$s' for 'ompinst' (options of 'ompinst %2$s' come "
		    "behind '%2$s'); see 'ompinst %2$s --help'",
		    words[0], input);
	if (input != NULL && access(input, F_OK) != 0 && compiler_name_is_known(input))
		return describe(
		    "unknown option '%s' for 'ompinst' (the compiler's options come after "
		    "'%s'); see 'ompinst --help'",
		    words[0], input);
	if (input != NULL && strncmp(words[0], "--", 2) == 0 && is_source(input) &&
	    !has_step(words))
		return describe(
		    "unknown option '%s' for 'ompinst' (the compiler's options: ompinst %s "
		    "-- FLAGS); see 'ompinst --help'",
		    words[0], input);
	return NULL;
}

/* If no program has this name: the misspelt command or compiler, or NULL. */
static char *find_misspelling(const char *word)
{
	static const char *const names[] = {"run", "lint", "race", "sharing", "tune", "why",
	    "stacks", "top", "snapshot", "trace", "gcc", "g++", "gfortran", "clang", "clang++",
	    "flang", "mpicc", "mpicxx", "mpif90", "help", "version"};
	struct nearest_word nearest = {.written = word, .length = strlen(word)};

	if (strchr(word, '/') != NULL || access(word, F_OK) == 0 || compiler_exists(word))
		return NULL;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		nearest_word_offer(&nearest, names[i]);
	if (nearest.name == NULL)
		return NULL;
	bool option = strcmp(nearest.name, "help") == 0 || strcmp(nearest.name, "version") == 0;
	return describe(
	    option
		? "'%s' is neither a command of ompinst nor a program (did you mean '--%s'?); see 'ompinst --help'"
		: "'%s' is neither a command of ompinst nor a program (did you mean '%s'?); see 'ompinst --help'",
	    word, nearest.name);
}

/* For another program in the compiler's place. */
static char *find_wrong_program(const char *const *words)
{
	if (compiler_name_is_known(words[0]))
		return NULL;
	if (is_own_word(words[0]))
		return describe(
		    "options of 'ompinst %1$s' come behind '%1$s'; see 'ompinst %1$s --help'%2$s",
		    words[0], "");
	char *misspelling = find_misspelling(words[0]);
	if (misspelling != NULL)
		return misspelling;
	if (is_builder(words[0]))
		return describe(
		    "'%s' is not a compiler but starts some; run it without ompinst, with "
		    "CC=ompinst-gcc and CXX=ompinst-g++%s",
		    words[0], "");
	for (const char *const *word = words + 1; *word != NULL && (*word)[0] != '-'; word++)
		if (access(*word, F_OK) != 0 && compiler_name_is_known(*word))
			return describe("'%1$s' is not a compiler; write: %1$s ompinst %2$s ...",
			    words[0], *word);
	if (strchr(words[0], '/') == NULL && access(words[0], R_OK) == 0 &&
	    language_of_file(words[0], 0) == LANGUAGE_LINKER && !compiler_exists(words[0]))
		return describe(
		    "'%s' is neither a compiler nor a C or C++ source file%s", words[0], "");
	if (words[1] == NULL && compiler_exists(words[0]))
		return describe("'%s' is not a compiler that ompinst knows, and has no arguments; "
				"expected a compiler's command or a C or C++ source file%s",
		    words[0], "");
	return NULL;
}

char *mistake_find(const char *const *words)
{
	return words[0][0] == '-' ? find_wrong_option(words) : find_wrong_program(words);
}
