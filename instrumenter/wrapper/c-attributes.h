/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether directives in attributes have a meaning to the user's C compiler. */
#ifndef C_ATTRIBUTES_H
#define C_ATTRIBUTES_H

#include "compile-job.h"

/*
 * Does the compiler take [[omp::directive(...)]] in this job's C text (OpenMP 6.0, 5.1)? Without
 * such an attribute in the text it is not asked, and the answer is no; so it is where asking fails.
 */
bool c_attributes_are_taken(struct job *job);

#endif
