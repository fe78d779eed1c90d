/* SPDX-License-Identifier: BSD-3-Clause */
/* Can two places of one function at which threads take locks be reached at the same time? */
#ifndef LINT_LOCK_MEETING_H
#define LINT_LOCK_MEETING_H

#include "lint-unit.h"

/* A thread that has set the outer lock sets the inner one. Both calls are in one task. */
struct lint_lock_pair {
	struct tree *outer, *inner;
};

/*
 * False if the function's text decides that no thread has the outer lock of one pair while another
 * one has that of the other: one thread executes both, a barrier, a taskwait or a dependence is
 * between, or a critical construct around both.
 */
bool lint_locks_meet(struct lint_unit *unit, const struct model_function *function,
    const struct lint_lock_pair *one, const struct lint_lock_pair *other);

#endif
