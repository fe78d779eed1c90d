/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops that clang's code leaves without a call: when they are cancelled, and up to clang 18 all
 * with a schedule that is not static, at whose end it is answered that no chunk is left.
 */
#ifndef RT_KMP_WORK_LEFT_H
#define RT_KMP_WORK_LEFT_H
#include "loops.h"
#include "team.h"

/*
 * At the barrier behind a construct, at the begin of the next one and at the region's end: the
 * calling member is in no loop any more. self: NULL if there is more to look at, see rt_unwatched.
 */
static inline void kmp_leave_work(struct rt_thread *self)
{
	if (unlikely(self == NULL))
		self = rt_current;
	if (self != NULL && unlikely(self->member->loop.share != NULL))
		rt_loop_end(self);
}

#endif
