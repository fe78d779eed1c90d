/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Directives that the user's compiler ignores because it does not know the spelling of their names.
 */
#ifndef IGNORED_DIRECTIVES_H
#define IGNORED_DIRECTIVES_H

#include "compile-job.h"

/*
 * Adds the first words of such directives in the job's text. The compiler is only asked about names
 * with an underscore, which OpenMP 6.0 allows in place of blanks. If asking fails, the compiler is
 * assumed to know them.
 */
void ignored_directives_find(struct job *job, struct words *ignored);

#endif
