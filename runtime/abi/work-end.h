/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a member leaves a loop or sections: all that the entry points for gcc's code do there.
 * Inlined into them, because a tool has to see where the program called the entry point.
 */
#ifndef RT_WORK_END_H
#define RT_WORK_END_H
#include "abi.h"
#include "loops.h"
#include "synchronization.h"

#define INLINED static inline __attribute__((always_inline))

/* The thread is new, or a tool is attached. */
void rt_end_work_share_watched(const void *caller, void *frame);

/* nowait. Returns rt_unwatched. */
INLINED struct rt_thread *end_work_share(void)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL))
		rt_loop_end(self);
	else
		rt_end_work_share_watched(CALLER, __builtin_dwarf_cfa());
	return self;
}

INLINED void end_work_share_with_barrier(void)
{
	struct rt_thread *self = end_work_share();

	RT_PASS_BARRIER(self, ompt_sync_region_barrier_implicit_workshare);
}

/* Returns whether the region was cancelled at the barrier. */
INLINED bool end_work_share_cancellable(void)
{
	struct rt_thread *self = end_work_share();

	return RT_PASS_CANCEL_BARRIER(self, ompt_sync_region_barrier_implicit_workshare);
}

#undef INLINED
#endif
