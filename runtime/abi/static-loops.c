/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops and distribute constructs that gcc's code divides itself, as GCC 17 announces them (older
 * versions call omp_get_thread_num() and the like). Each announcement returns what the code divides
 * by: a _Complex int of the number of members, or of teams in the league, and the caller's own
 * number as the imaginary part.
 *
 * GOMP_..._static_worksharing(iterations): with -fopenmp; the end of the construct is not called.
 *
 * GOMP_..._static_worksharing_start(iterations): with -fopenmp-ompt, and for a loop that
 * GOMP_loop_start() has begun and GOMP_loop_end() ends.
 *
 * GOMP_..._static_worksharing_dispatch(start, iterations): with -fopenmp-ompt=extended; a chunk
 * begins, in iterations counted from 0.
 *
 * GOMP_..._static_worksharing_end(): before the barrier, even if nothing began.
 *
 * Names and versions are those of the libgomp in Debian's gcc-snapshot of 2026-10-20; arguments and
 * order are what that gcc 17 emits (-S, -fdump-tree-optimized).
 */
#include "abi.h"
#include "events.h"
#include "team.h"
#include "work-events.h"

__extension__ typedef _Complex int number_of;

static inline __attribute__((always_inline)) number_of pair(uint32_t count, uint32_t number)
{
	number_of both;

	__real__ both = (int)count;
	__imag__ both = (int)number;
	return both;
}

static inline __attribute__((always_inline)) number_of of_team(const struct rt_thread *self)
{
	return pair(self->team->size, self->number);
}

static inline __attribute__((always_inline)) number_of of_league(const struct rt_thread *self)
{
	return pair(self->teams_count, self->teams_number);
}

static RT_COLD struct rt_thread *begin_watched(
    ompt_work_t type, gomp_ull iterations, const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		rt_work_begin_static(self, type, iterations, caller);
	return self;
}

static RT_COLD void dispatch_watched(
    ompt_work_t type, gomp_ull start, gomp_ull iterations, const void *caller)
{
	struct rt_thread *self = rt_self();
	ompt_dispatch_chunk_t chunk = {.start = start, .iterations = iterations};

	if (rt_watched(RT_BY_TOOL))
		rt_work_dispatch_static(self, type, chunk, caller);
}

static RT_COLD void end_watched(ompt_work_t type, const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		rt_work_end_static(self, type, caller);
}

#define BEGIN(name, type, numbers)                                                                 \
	ENTRY(number_of, name, gomp_ull iterations)                                                \
	{                                                                                          \
		const struct rt_thread *self = rt_unwatched;                                       \
                                                                                                   \
		if (unlikely(self == NULL))                                                        \
			self = begin_watched(type, iterations, CALLER);                            \
		return numbers(self);                                                              \
	}
#define DISPATCH(name, type)                                                                       \
	ENTRY(void, name, gomp_ull start, gomp_ull iterations)                                     \
	{                                                                                          \
		if (unlikely(rt_unwatched == NULL))                                                \
			dispatch_watched(type, start, iterations, CALLER);                         \
	}
#define END(name, type)                                                                            \
	ENTRY(void, name, void)                                                                    \
	{                                                                                          \
		if (unlikely(rt_unwatched == NULL))                                                \
			end_watched(type, CALLER);                                                 \
	}

BEGIN(GOMP_loop_static_worksharing, ompt_work_loop_static, of_team)
BEGIN(GOMP_loop_static_worksharing_start, ompt_work_loop_static, of_team)
DISPATCH(GOMP_loop_static_worksharing_dispatch, ompt_work_loop_static)
END(GOMP_loop_static_worksharing_end, ompt_work_loop_static)

BEGIN(GOMP_distribute_static_worksharing, ompt_work_distribute, of_league)
BEGIN(GOMP_distribute_static_worksharing_start, ompt_work_distribute, of_league)
DISPATCH(GOMP_distribute_static_worksharing_dispatch, ompt_work_distribute)
END(GOMP_distribute_static_worksharing_end, ompt_work_distribute)
