/* SPDX-License-Identifier: BSD-3-Clause */
/* Directives that the user's compiler ignores, because it does not know how their names are
 * written. */
#ifndef IGNORED_DIRECTIVES_H
#define IGNORED_DIRECTIVES_H

#include "compile-job.h"

/*
 * Adds the first words of such directives in the job's text. Only names with an underscore are
 * asked for, which OpenMP 6.0 has in place of blanks; where asking fails, the compiler knows them.
 */
void ignored_directives_find(struct job *job, struct words *ignored);

#endif
