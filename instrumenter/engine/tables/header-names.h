/* SPDX-License-Identifier: BSD-3-Clause */
/* The names that pomp.h declares or uses, and that a program may also have. */
#ifndef HEADER_NAMES_H
#define HEADER_NAMES_H

#include <stdbool.h>

/* Does pomp.h declare this name? */
bool is_pomp_header_name(const char *name);

/*
 * May this name of the program's conflict with pomp.h? in_front: it is a macro that is defined
 * before the first line of the text.
 */
bool may_conflict_with_header(const char *name, bool in_front);

#endif
