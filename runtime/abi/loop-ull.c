/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work-sharing loops over unsigned long long, as gcc calls them: a start function for each
 * schedule, one next function for all.
 */
#include "abi.h"
#include "events.h"
#include "loop-entry.h"
#include "loops.h"
#include "work-events.h"

static inline __attribute__((always_inline)) bool chunk_of(
    struct rt_thread *self, gomp_ull *first, gomp_ull *limit)
{
	struct rt_loop *loop = &self->member->loop;
	uint64_t low, high;

	if (likely(rt_loop_claim(loop, &low, &high))) {
		*first = low;
		*limit = high;
		return true;
	}
	if (!rt_loop_next(self))
		return false;
	*first = rt_loop_first(loop);
	*limit = rt_loop_limit(loop);
	return true;
}

static RT_COLD bool start_watched(struct rt_loop_args args, enum rt_loop_share share,
    gomp_ull *first, gomp_ull *limit, const void *caller)
{
	struct rt_thread *self = rt_self();

	rt_loop_begin(self, &args, share);
	if (rt_watched(RT_BY_TOOL))
		rt_work_begin_loop(self, &args, false, caller);
	return chunk_of(self, first, limit);
}

static inline __attribute__((always_inline)) bool start(
    struct rt_loop_args args, enum rt_loop_share share, gomp_ull *first, gomp_ull *limit)
{
	struct rt_thread *self = rt_unwatched;

	if (unlikely(self == NULL))
		return start_watched(args, share, first, limit, CALLER);
	rt_loop_begin(self, &args, share);
	return chunk_of(self, first, limit);
}

ENTRY(bool, GOMP_loop_ull_static_next, gomp_ull *first, gomp_ull *limit)
{
	return chunk_of(rt_self(), first, limit);
}

/* The member's loop contains its schedule, so all next functions are the same. */
#define NEXT(name)                                                                                 \
	SAME_ENTRY(bool, name, GOMP_loop_ull_static_next, gomp_ull *first, gomp_ull *limit)
NEXT(GOMP_loop_ull_dynamic_next);
NEXT(GOMP_loop_ull_guided_next);
NEXT(GOMP_loop_ull_runtime_next);
NEXT(GOMP_loop_ull_nonmonotonic_dynamic_next);
NEXT(GOMP_loop_ull_nonmonotonic_guided_next);
NEXT(GOMP_loop_ull_nonmonotonic_runtime_next);
NEXT(GOMP_loop_ull_maybe_nonmonotonic_runtime_next);
NEXT(GOMP_loop_ull_ordered_static_next);
NEXT(GOMP_loop_ull_ordered_dynamic_next);
NEXT(GOMP_loop_ull_ordered_guided_next);
NEXT(GOMP_loop_ull_ordered_runtime_next);

#define START(name, schedule, share)                                                               \
	ENTRY(bool, name, bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull chunk,    \
	    gomp_ull *first, gomp_ull *limit)                                                      \
	{                                                                                          \
		return start(rt_loop_args_for(rt_loop_args_unsigned(up, begin, end, step),         \
				 schedule, (uint64_t)chunk),                                       \
		    share, first, limit);                                                          \
	}
#define START_RUNTIME(name, schedule, share)                                                       \
	ENTRY(bool, name, bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull *first,   \
	    gomp_ull *limit)                                                                       \
	{                                                                                          \
		return start(                                                                      \
		    rt_loop_args_for(rt_loop_args_unsigned(up, begin, end, step), schedule, 0),    \
		    share, first, limit);                                                          \
	}

START(GOMP_loop_ull_static_start, GFS_STATIC, RT_SHARE_IF_NEEDED)
START(GOMP_loop_ull_dynamic_start, MONOTONIC(GFS_DYNAMIC), RT_SHARE_IF_NEEDED)
START(GOMP_loop_ull_guided_start, GFS_GUIDED, RT_SHARE_IF_NEEDED)
START_RUNTIME(GOMP_loop_ull_runtime_start, MONOTONIC(GFS_RUNTIME), RT_SHARE_IF_NEEDED)
START(GOMP_loop_ull_nonmonotonic_dynamic_start, GFS_DYNAMIC, RT_SHARE_IF_NEEDED)
START(GOMP_loop_ull_nonmonotonic_guided_start, GFS_GUIDED, RT_SHARE_IF_NEEDED)
START_RUNTIME(GOMP_loop_ull_nonmonotonic_runtime_start, GFS_RUNTIME, RT_SHARE_IF_NEEDED)
START_RUNTIME(GOMP_loop_ull_maybe_nonmonotonic_runtime_start, GFS_RUNTIME, RT_SHARE_IF_NEEDED)
START(GOMP_loop_ull_ordered_static_start, GFS_STATIC, RT_SHARE_ORDERED)
START(GOMP_loop_ull_ordered_dynamic_start, MONOTONIC(GFS_DYNAMIC), RT_SHARE_ORDERED)
START(GOMP_loop_ull_ordered_guided_start, GFS_GUIDED, RT_SHARE_ORDERED)
START_RUNTIME(GOMP_loop_ull_ordered_runtime_start, MONOTONIC(GFS_RUNTIME), RT_SHARE_ORDERED)

/*
 * Loops with task reductions or shared scratch memory (*memory: its size in, its address out). gcc
 * passes first == NULL if it divides the iterations itself.
 */
static bool start_with(struct rt_loop_args args, enum rt_loop_share share, gomp_ull *first,
    gomp_ull *limit, uintptr_t *reductions, void **memory, const void *caller)
{
	struct rt_thread *self = rt_self();

	args.nonmonotonic &= memory == NULL;
	rt_loop_begin(self, &args, share);
	rt_share_storage(self, reductions, memory);
	if (rt_watched(RT_BY_TOOL))
		rt_work_begin_loop(self, &args, first == NULL, caller);
	return first == NULL || chunk_of(self, first, limit);
}

ENTRY(bool, GOMP_loop_ull_start, bool up, gomp_ull begin, gomp_ull end, gomp_ull step,
    long schedule, gomp_ull chunk, gomp_ull *first, gomp_ull *limit, uintptr_t *reductions,
    void **memory)
{
	return start_with(rt_loop_args_for(rt_loop_args_unsigned(up, begin, end, step), schedule,
			      (uint64_t)chunk),
	    RT_SHARE_ALWAYS, first, limit, reductions, memory, CALLER);
}

ENTRY(bool, GOMP_loop_ull_ordered_start, bool up, gomp_ull begin, gomp_ull end, gomp_ull step,
    long schedule, gomp_ull chunk, gomp_ull *first, gomp_ull *limit, uintptr_t *reductions,
    void **memory)
{
	return start_with(rt_loop_args_for(rt_loop_args_unsigned(up, begin, end, step), schedule,
			      (uint64_t)chunk),
	    RT_SHARE_ORDERED, first, limit, reductions, memory, CALLER);
}
