/* SPDX-License-Identifier: BSD-3-Clause */
/* The schedules of worksharing loops (OpenMP 5.2, 11.5.3). */
#ifndef LINT_SCHEDULE_H
#define LINT_SCHEDULE_H

#include "tree.h"

/*
 * May an iteration be on another thread in one loop than the one of the same number in the other,
 * although there are as many of them? Without the clause a loop is taken for static, as gcc and
 * clang do it.
 */
bool schedule_differs(const struct tree_construct *one, const struct tree_construct *other);

#endif
