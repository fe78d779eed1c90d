/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines and columns in the user's own files, which preprocessed text does not show. */
#ifndef USER_FILE_H
#define USER_FILE_H

#include "unit.h"

/*
 * The line at `place` as the user's file contains it, and in *length what is left of the file from
 * there; NULL if the file cannot be read or is shorter. `file` keeps the position of the previous
 * call.
 */
const char *user_line(
    struct unit *unit, struct user_file *file, struct inst_place place, size_t *length);

/* The column of a pragma in the user's file; `before` other pragmas precede it on its line. */
int user_column(struct unit *unit, struct user_file *file, const struct inst_pragma *pragma,
    struct inst_place place, size_t before);

#endif
