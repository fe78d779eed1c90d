/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a member leaves a loop or sections: all that the entry points for gcc's code do there.
 * Inlined into them, because a tool has to see where the program called the entry point.
 */
#ifndef RT_WORK_END_H
#define RT_WORK_END_H
#include "abi.h"
#include "cancel.h"
#include "loops.h"
#include "teams.h"

#define INLINED static inline __attribute__((always_inline))

/* The thread is new, or a tool is attached. Returns the thread's record. */
struct rt_thread *rt_end_work_share_watched(const void *caller, void *frame);

/* nowait */
INLINED void end_work_share(void)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL))
		rt_loop_end(self);
	else
		rt_end_work_share_watched(CALLER, __builtin_dwarf_cfa());
}

INLINED void end_work_share_with_barrier(void)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL)) {
		rt_loop_end(self);
		rt_team_barrier(self);
	} else {
		rt_team_barrier_of(rt_end_work_share_watched(CALLER, __builtin_dwarf_cfa()),
		    ompt_sync_region_barrier_implicit_workshare);
	}
}

/* Returns whether the region was cancelled at the barrier. */
INLINED bool end_work_share_cancellable(void)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL)) {
		rt_loop_end(self);
		return rt_team_barrier(self);
	}
	self = rt_end_work_share_watched(CALLER, __builtin_dwarf_cfa());
	return rt_cancel_seen(
	    rt_team_barrier_of(self, ompt_sync_region_barrier_implicit_workshare), CALLER);
}

#undef INLINED
#endif
