/* SPDX-License-Identifier: BSD-3-Clause */
/* Do two threads order their accesses by a flag, a lock or an atomic? */
#ifndef LINT_HAND_OVER_H
#define LINT_HAND_OVER_H

#include "lint-unit.h"

/* The part of a node between two offsets of the text. */
struct lint_span {
	struct tree *node;
	size_t begin, end;
};

/*
 * May the thread that executes the first span signal the thread that executes the second to
 * continue? True if both use one variable in an atomic or critical construct or with a lock, or if
 * a flush or a called function makes it unknown which variables they use.
 */
bool lint_hands_over(
    struct lint_unit *unit, const struct lint_span *first, const struct lint_span *then);

/* Does the node contain anything by which a thread may wait for others? */
bool lint_uses_flags(struct lint_unit *unit, struct tree *node);

/* May one of the two events always come before the other? Each event is inside its node. */
bool lint_may_be_ordered(struct lint_unit *unit, const struct model_event *one,
    struct tree *around_one, const struct model_event *other, struct tree *around_other);

#endif
