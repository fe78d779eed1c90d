/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines and columns of the user's own files, which preprocessed text does not have. */
#ifndef USER_FILE_H
#define USER_FILE_H

#include "unit.h"

/*
 * The user's own line of that place, as the file holds it, and how much of the file is left from
 * there; NULL when the file cannot be read or is shorter. `file` is where the last call came to.
 */
const char *user_line(
    struct unit *unit, struct user_file *file, struct inst_place place, size_t *length);

/* The column of a pragma in the user's file; `before` others stand on its line, in front of it. */
int user_column(struct unit *unit, struct user_file *file, const struct inst_pragma *pragma,
    struct inst_place place, size_t before);

#endif
