/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out whether the user's C compiler supports directives in attributes. */
#ifndef C_ATTRIBUTES_H
#define C_ATTRIBUTES_H

#include "compile-job.h"

/*
 * Does the compiler accept [[omp::directive(...)]] in this job's C text (OpenMP 6.0, 5.1)? If the
 * text has no such attribute, the compiler is not asked and the answer is no; it is also no if
 * asking fails.
 */
bool c_attributes_are_taken(struct job *job);

#endif
