/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the calling thread's stack of regions says to an event of a construct that is known by the
 * address of its code: whether the program's own calls measure the construct already, and which
 * frame a leaving event means.
 */
#ifndef CODE_STACK_H
#define CODE_STACK_H

#include "shared/constructs.h"
#include "thread.h"

#include <stdbool.h>

/* Whether the construct on top was entered by the program's own calls and is of that kind. */
bool pomp_stack_measures(enum construct_id construct);

/*
 * The innermost frame of that role whose region is known by its code, and is of that construct; not
 * beyond the region or task that the thread is in, except for these themselves. NULL: there is
 * none.
 */
const struct pomp_frame *pomp_stack_find(enum pomp_role role, enum construct_id construct);

/*
 * Whether the program's own calls have entered something above the construct's frame. Then it ends
 * when that has been left, without another event.
 */
bool pomp_stack_ends_late(const struct pomp_frame *frame);

/* The same of any construct. */
const struct pomp_frame *pomp_stack_find_role(enum pomp_role role);

#endif
