/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inputs that the engine does not read. Fortran is compiled unchanged, and the OpenMP runtime
 * reports its constructs while the program runs, so that only the link step has to do something.
 * OpenMP in any other language is not measured, and a warning says so.
 */
#include "languages.h"

#include <string.h>

const char *language_skip_reason(const struct wrapper *wrapper, const struct command_part *part)
{
	if (part->role != ARGUMENT_INPUT)
		return NULL;
	if (part->language == LANGUAGE_FOREIGN)
		return "only C and C++ are read";
	if (part->language != LANGUAGE_FORTRAN)
		return NULL;
	if (wrapper->options->engine.functions)
		return "the functions of Fortran are not read";
	if (wrapper->options->list != LIST_NONE)
		return "Fortran is not read; the OpenMP runtime reports its constructs";
	return NULL;
}

/* The compilers' own libraries, which every Fortran program links. */
static const char *const fortran_libraries[] = {
    "gfortran", "FortranRuntime", "flang_rt.runtime", "flang", "ifcore", "nvf"};

/* -lgfortran, -l:libgfortran.a, libgfortran.so by path, -Wl,-lgfortran. */
static bool is_fortran_library(const struct command_part *part)
{
	for (size_t i = 0; i < sizeof fortran_libraries / sizeof fortran_libraries[0]; i++) {
		const char *name = fortran_libraries[i];
		size_t length = strlen(name);
		const char *found = part->value != NULL ? strstr(part->value, name) : NULL;
		if (found == NULL)
			continue;
		if (part->role == ARGUMENT_LIBRARY && strcmp(part->value, name) == 0)
			return true;
		/* "lib" or "-l" must precede it, and only a suffix may follow. */
		bool prefixed = (found - part->value >= 3 && strncmp(found - 3, "lib", 3) == 0) ||
				(found - part->value >= 2 && strncmp(found - 2, "-l", 2) == 0);
		if (prefixed && strchr(".,", found[length]) != NULL)
			return true;
	}
	return false;
}

bool language_has_fortran(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	const unsigned libraries = ARGUMENT_LIBRARY | ARGUMENT_INPUT | ARGUMENT_LINK;

	if (wrapper->compiler.fortran_driver)
		return true;
	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];
		if (part->role == ARGUMENT_INPUT && part->language == LANGUAGE_FORTRAN)
			return true;
		if ((part->role & libraries) != 0 && is_fortran_library(part))
			return true;
	}
	return false;
}
