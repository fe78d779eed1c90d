/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops that clang's code leaves without a call: when they are cancelled, and up to clang 18 all
 * with a schedule that is not static, at whose end it is answered that no chunk is left.
 */
#ifndef RT_KMP_WORK_LEFT_H
#define RT_KMP_WORK_LEFT_H
#include "iteration-posts.h"
#include "loops.h"
#include "team.h"

/* At the begin of a construct and a loop's end: the calling member is in no loop any more. */
static inline void kmp_leave_loop(struct rt_thread *self)
{
	if (unlikely(self->member->loop.share != NULL))
		rt_loop_end(self);
}

/*
 * At the barrier behind a construct and at the region's end: nor does it need a loop's posts. self:
 * NULL if there is more to look at, see rt_unwatched.
 */
static inline void kmp_leave_work(struct rt_thread *self)
{
	if (unlikely(self == NULL))
		self = rt_current;
	if (self == NULL)
		return;
	kmp_leave_loop(self);
	if (unlikely(self->member->loop.iteration_posts.dimensions != 0))
		rt_iteration_posts_end(self);
}

#endif
