/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of the environment that tuning has found: their file, and an environment with them. */
#ifndef TUNED_VARIABLES_H
#define TUNED_VARIABLES_H

#include "word-list.h"

/*
 * Reads the file into "NAME=VALUE" words. Returns false with *error (heap; NULL if memory ran out):
 * the file cannot be read, or has a line of another form.
 */
bool tuned_variables_read(const char *path, struct words *variables, char **error);

/*
 * Adds the variable to a list of variables for a program's environment. A list of glibc's tunables
 * is added to that of this process.
 */
void tuned_variables_add(struct words *list, const char *variable);

/* This process's environment with the variables in the place of its own. */
void tuned_variables_environment(const struct words *variables, struct words *environment);

#endif
