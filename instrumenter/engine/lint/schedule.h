/* SPDX-License-Identifier: BSD-3-Clause */
/* The schedules of worksharing loops (OpenMP 5.2, 11.5.3). */
#ifndef LINT_SCHEDULE_H
#define LINT_SCHEDULE_H

#include "tree.h"

/*
 * Given two loops with equally many iterations: may iteration k of one be executed by another
 * thread than iteration k of the other? A loop without the clause is assumed to be static, as in
 * gcc and clang.
 */
bool schedule_differs(const struct tree_construct *one, const struct tree_construct *other);

#endif
