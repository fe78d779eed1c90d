/* SPDX-License-Identifier: BSD-3-Clause */
/* The names that pomp.h declares or uses, which a program may have, too. */
#ifndef HEADER_NAMES_H
#define HEADER_NAMES_H

#include <stdbool.h>

/* Is it a name that pomp.h declares? */
bool is_pomp_header_name(const char *name);

/*
 * May this name of the program's conflict with pomp.h, as a macro that is defined before the text's
 * first line (in_front) or as something else?
 */
bool may_conflict_with_header(const char *name, bool in_front);

#endif
