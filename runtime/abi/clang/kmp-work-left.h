/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops that clang's code leaves without a call: cancelled loops and, up to clang 18, all loops
 * with a schedule that is not static, which end when the result is that no chunk is left.
 */
#ifndef RT_KMP_WORK_LEFT_H
#define RT_KMP_WORK_LEFT_H
#include "iteration-posts.h"
#include "loops.h"
#include "team.h"

/*
 * Called at the begin of a construct and at a loop's end: the calling member is no longer in a
 * loop.
 */
static inline void kmp_leave_loop(struct rt_thread *self)
{
	if (unlikely(self->member->loop.share != NULL))
		rt_loop_end(self);
}

/*
 * Called at the barrier after a construct and at the region's end: the member no longer needs a
 * loop's posts either. self: NULL if there is more to check, see rt_unwatched.
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
