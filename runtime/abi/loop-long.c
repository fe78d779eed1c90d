/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work-sharing loops over long, as gcc calls them: a start function for each schedule, one next
 * function for all.
 */
#include "abi.h"
#include "events.h"
#include "loop-entry.h"
#include "loops.h"
#include "work-end.h"
#include "work-events.h"

static inline __attribute__((always_inline)) bool chunk_of(
    struct rt_thread *self, long *first, long *limit)
{
	struct rt_loop *loop = &self->member->loop;
	uint64_t low, high;

	if (likely(rt_loop_claim(loop, &low, &high))) {
		*first = (long)low;
		*limit = (long)high;
		return true;
	}
	if (!rt_loop_next(self))
		return false;
	*first = (long)rt_loop_first(loop);
	*limit = (long)rt_loop_limit(loop);
	return true;
}

static RT_COLD bool start_watched(struct rt_loop_args args, enum rt_loop_share share, long *first,
    long *limit, const void *caller)
{
	struct rt_thread *self = rt_self();

	rt_loop_begin(self, &args, share);
	if (rt_watched(RT_BY_TOOL))
		rt_work_begin_loop(self, &args, false, caller);
	return chunk_of(self, first, limit);
}

static inline __attribute__((always_inline)) bool start(
    struct rt_loop_args args, enum rt_loop_share share, long *first, long *limit)
{
	struct rt_thread *self = rt_unwatched;

	if (unlikely(self == NULL))
		return start_watched(args, share, first, limit, CALLER);
	rt_loop_begin(self, &args, share);
	return chunk_of(self, first, limit);
}

ENTRY(bool, GOMP_loop_static_next, long *first, long *limit)
{
	return chunk_of(rt_self(), first, limit);
}

/* The member's loop contains its schedule, so all next functions are the same. */
#define NEXT(name) SAME_ENTRY(bool, name, GOMP_loop_static_next, long *first, long *limit)
NEXT(GOMP_loop_dynamic_next);
NEXT(GOMP_loop_guided_next);
NEXT(GOMP_loop_runtime_next);
NEXT(GOMP_loop_nonmonotonic_dynamic_next);
NEXT(GOMP_loop_nonmonotonic_guided_next);
NEXT(GOMP_loop_nonmonotonic_runtime_next);
NEXT(GOMP_loop_maybe_nonmonotonic_runtime_next);
NEXT(GOMP_loop_ordered_static_next);
NEXT(GOMP_loop_ordered_dynamic_next);
NEXT(GOMP_loop_ordered_guided_next);
NEXT(GOMP_loop_ordered_runtime_next);

#define START(name, schedule, share)                                                               \
	ENTRY(bool, name, long begin, long end, long step, long chunk, long *first, long *limit)   \
	{                                                                                          \
		return start(rt_loop_args_for(rt_loop_args_signed(begin, end, step), schedule,     \
				 (uint64_t)chunk),                                                 \
		    share, first, limit);                                                          \
	}
#define START_RUNTIME(name, schedule, share)                                                       \
	ENTRY(bool, name, long begin, long end, long step, long *first, long *limit)               \
	{                                                                                          \
		return start(rt_loop_args_for(rt_loop_args_signed(begin, end, step), schedule, 0), \
		    share, first, limit);                                                          \
	}

START(GOMP_loop_static_start, GFS_STATIC, RT_SHARE_IF_NEEDED)
START(GOMP_loop_dynamic_start, MONOTONIC(GFS_DYNAMIC), RT_SHARE_IF_NEEDED)
START(GOMP_loop_guided_start, GFS_GUIDED, RT_SHARE_IF_NEEDED)
START_RUNTIME(GOMP_loop_runtime_start, MONOTONIC(GFS_RUNTIME), RT_SHARE_IF_NEEDED)
START(GOMP_loop_nonmonotonic_dynamic_start, GFS_DYNAMIC, RT_SHARE_IF_NEEDED)
START(GOMP_loop_nonmonotonic_guided_start, GFS_GUIDED, RT_SHARE_IF_NEEDED)
START_RUNTIME(GOMP_loop_nonmonotonic_runtime_start, GFS_RUNTIME, RT_SHARE_IF_NEEDED)
START_RUNTIME(GOMP_loop_maybe_nonmonotonic_runtime_start, GFS_RUNTIME, RT_SHARE_IF_NEEDED)
START(GOMP_loop_ordered_static_start, GFS_STATIC, RT_SHARE_ORDERED)
START(GOMP_loop_ordered_dynamic_start, MONOTONIC(GFS_DYNAMIC), RT_SHARE_ORDERED)
START(GOMP_loop_ordered_guided_start, GFS_GUIDED, RT_SHARE_ORDERED)
START_RUNTIME(GOMP_loop_ordered_runtime_start, MONOTONIC(GFS_RUNTIME), RT_SHARE_ORDERED)

/*
 * Loops with task reductions or shared scratch memory (*memory: its size in, its address out). gcc
 * passes first == NULL if it divides the iterations itself. The memory serves conditional
 * lastprivate, for which each thread's iterations have to be in ascending order.
 */
static bool start_with(struct rt_loop_args args, enum rt_loop_share share, long *first, long *limit,
    uintptr_t *reductions, void **memory, const void *caller)
{
	struct rt_thread *self = rt_self();

	args.nonmonotonic &= memory == NULL;
	rt_loop_begin(self, &args, share);
	rt_share_storage(self, reductions, memory);
	if (rt_watched(RT_BY_TOOL))
		rt_work_begin_loop(self, &args, first == NULL, caller);
	return first == NULL || chunk_of(self, first, limit);
}

ENTRY(bool, GOMP_loop_start, long begin, long end, long step, long schedule, long chunk,
    long *first, long *limit, uintptr_t *reductions, void **memory)
{
	return start_with(
	    rt_loop_args_for(rt_loop_args_signed(begin, end, step), schedule, (uint64_t)chunk),
	    RT_SHARE_ALWAYS, first, limit, reductions, memory, CALLER);
}

ENTRY(bool, GOMP_loop_ordered_start, long begin, long end, long step, long schedule, long chunk,
    long *first, long *limit, uintptr_t *reductions, void **memory)
{
	return start_with(
	    rt_loop_args_for(rt_loop_args_signed(begin, end, step), schedule, (uint64_t)chunk),
	    RT_SHARE_ORDERED, first, limit, reductions, memory, CALLER);
}

ENTRY(void, GOMP_loop_end_nowait, void)
{
	end_work_share();
}

ENTRY(void, GOMP_loop_end, void)
{
	end_work_share_with_barrier();
}

ENTRY(bool, GOMP_loop_end_cancel, void)
{
	return end_work_share_cancellable();
}
