/* SPDX-License-Identifier: BSD-3-Clause */
/* The names that pomp.h declares or uses, which a program may have, too. */
#ifndef HEADER_NAMES_H
#define HEADER_NAMES_H

#include <stdbool.h>

/* Is it a name that pomp.h declares? */
bool is_pomp_header_name(const char *name);

/*
 * Might pomp.h meet this name of the program's, which a macro has before the text's first line
 * (in_front), or something else? See names.c.
 */
bool is_program_name_of_interest(const char *name, bool in_front);

#endif
