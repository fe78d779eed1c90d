/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the calling thread's region stack shows for an event of a construct that is identified by
 * the address of its code: whether the program's own calls already measure the construct, and which
 * frame a leaving event refers to.
 */
#ifndef CODE_STACK_H
#define CODE_STACK_H

#include "shared/constructs.h"
#include "thread-block.h"

#include <stdbool.h>

/* Returns whether the program's own calls entered the construct on top, and it is of that kind. */
bool pomp_stack_measures(enum construct_id construct);

/*
 * Returns the innermost frame with that role whose region is identified by its code and belongs to
 * that construct. The search ends at the region or task that the thread is in, which is included.
 * NULL: there is none.
 */
const struct pomp_frame *pomp_stack_find(enum pomp_role role, enum construct_id construct);

/*
 * Returns whether the program's own calls have entered something above the construct's frame. The
 * construct then ends when that is left, without another event.
 */
bool pomp_stack_ends_late(const struct pomp_frame *frame);

/* The same for any construct. */
const struct pomp_frame *pomp_stack_find_role(enum pomp_role role);

#endif
