/* SPDX-License-Identifier: BSD-3-Clause */
/* Do two threads order their accesses by a flag, a lock or an atomic? */
#ifndef LINT_HAND_OVER_H
#define LINT_HAND_OVER_H

#include "lint-unit.h"

/* What stands inside of a node, between two offsets of the text. */
struct lint_span {
	struct tree *node;
	size_t begin, end;
};

/*
 * May a thread that executes the first span tell one that executes the other to go on? True where
 * both use one variable by atomic, by critical or with a lock, or where a flush or a function
 * leaves open what they use.
 */
bool lint_hands_over(
    struct lint_unit *unit, const struct lint_span *first, const struct lint_span *then);

/* Is there anything in the node by which a thread may wait for others? */
bool lint_uses_flags(struct lint_unit *unit, struct tree *node);

/* May it be that one of the two events is always before the other? Each is inside of its node. */
bool lint_may_be_ordered(struct lint_unit *unit, const struct model_event *one,
    struct tree *around_one, const struct model_event *other, struct tree *around_other);

#endif
