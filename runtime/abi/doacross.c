/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Doacross loops (ordered(n)). gcc normalises them: it passes the number of iterations of each
 * dimension; bounds and iteration vectors count from 0, and only the outermost dimension is
 * divided.
 */
#include "doacross.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "abi.h"
#include "events.h"
#include "loop-entry.h"
#include "loops.h"
#include "message.h"
#include "work-events.h"

enum { FEW_DIMENSIONS = 16 };

_Static_assert(sizeof(long) == sizeof(uint64_t) && sizeof(gomp_ull) == sizeof(uint64_t),
    "iteration vectors are arrays of 64-bit words");

/* Both integer types are 64 bits wide and count from 0, so one function serves both. */
static inline __attribute__((always_inline)) bool start(unsigned dimensions,
    const uint64_t *extents, long schedule, uint64_t chunk, uint64_t *first, uint64_t *limit,
    uintptr_t *reductions, void **memory, const void *caller)
{
	struct rt_thread *self = rt_self();
	struct rt_loop *loop = &self->member->loop;
	struct rt_loop_args args = rt_loop_args_for(
	    rt_loop_args_unsigned(true, 0, extents[0], 1), MONOTONIC(schedule), chunk);

	rt_loop_begin(self, &args, RT_SHARE_ALWAYS);
	rt_doacross_begin(self, dimensions, extents);
	rt_share_storage(self, reductions, memory);
	if (rt_watched(RT_BY_TOOL))
		rt_work_begin_loop(self, &args, first == NULL, caller);
	if (first == NULL)
		return true;
	if (!rt_loop_next(self))
		return false;
	*first = loop->low;
	*limit = loop->high;
	return true;
}

#define START(type, name, schedule)                                                                \
	ENTRY(                                                                                     \
	    bool, name, unsigned dimensions, type *extents, type chunk, type *first, type *limit)  \
	{                                                                                          \
		return start(dimensions, (const uint64_t *)extents, schedule, (uint64_t)chunk,     \
		    (uint64_t *)first, (uint64_t *)limit, NULL, NULL, CALLER);                     \
	}
#define START_RUNTIME(type, name)                                                                  \
	ENTRY(bool, name, unsigned dimensions, type *extents, type *first, type *limit)            \
	{                                                                                          \
		return start(dimensions, (const uint64_t *)extents, GFS_RUNTIME, 0,                \
		    (uint64_t *)first, (uint64_t *)limit, NULL, NULL, CALLER);                     \
	}
#define START_WITH(type, name)                                                                     \
	ENTRY(bool, name, unsigned dimensions, type *extents, long schedule, type chunk,           \
	    type *first, type *limit, uintptr_t *reductions, void **memory)                        \
	{                                                                                          \
		return start(dimensions, (const uint64_t *)extents, schedule, (uint64_t)chunk,     \
		    (uint64_t *)first, (uint64_t *)limit, reductions, memory, CALLER);             \
	}

START(long, GOMP_loop_doacross_static_start, GFS_STATIC)
START(long, GOMP_loop_doacross_dynamic_start, GFS_DYNAMIC)
START(long, GOMP_loop_doacross_guided_start, GFS_GUIDED)
START_RUNTIME(long, GOMP_loop_doacross_runtime_start)
START_WITH(long, GOMP_loop_doacross_start)
START(gomp_ull, GOMP_loop_ull_doacross_static_start, GFS_STATIC)
START(gomp_ull, GOMP_loop_ull_doacross_dynamic_start, GFS_DYNAMIC)
START(gomp_ull, GOMP_loop_ull_doacross_guided_start, GFS_GUIDED)
START_RUNTIME(gomp_ull, GOMP_loop_ull_doacross_runtime_start)
START_WITH(gomp_ull, GOMP_loop_ull_doacross_start)

RT_COLD void rt_doacross_emit(struct rt_thread *self, ompt_dependence_type_t type,
    const uint64_t *iteration, uint32_t dimensions)
{
	ompt_dependence_t few[FEW_DIMENSIONS], *dependences = few;

	if (dimensions > FEW_DIMENSIONS)
		dependences = malloc(dimensions * sizeof(*dependences));
	if (dependences == NULL)
		return;
	for (uint32_t i = 0; i < dimensions; i++)
		dependences[i] = (ompt_dependence_t){
		    .variable = {.value = iteration[i]}, .dependence_type = type};
	rt_emit_dependences(&self->task->tool.data, dependences, (int)dimensions);
	if (dependences != few)
		free(dependences);
}

/* A thread alone in its team executes the iterations in their order and waits for none. */
static inline bool is_alone(const struct rt_thread *self)
{
	return self->team->size == 1;
}

/* A tool sees the source before other threads can have seen it, and a sink once it has come. */
static void post(const uint64_t *iteration)
{
	struct rt_thread *self = rt_unwatched;

	if (unlikely(self == NULL)) {
		self = rt_self();
		rt_doacross_emit(
		    self, ompt_dependence_type_source, iteration, self->member->loop.dimensions);
	}
	if (!is_alone(self))
		rt_doacross_post(self, iteration);
}

ENTRY(void, GOMP_doacross_post, long *iteration)
{
	post((const uint64_t *)iteration);
}

ENTRY(void, GOMP_doacross_ull_post, gomp_ull *iteration)
{
	post((const uint64_t *)iteration);
}

static inline __attribute__((always_inline)) void wait_with(
    struct rt_thread *self, uint64_t outermost, va_list others, bool is_watched)
{
	uint32_t dimensions = self->member->loop.dimensions;
	uint64_t few[FEW_DIMENSIONS], *iteration = few;

	if (dimensions > FEW_DIMENSIONS) {
		iteration = malloc(dimensions * sizeof(*iteration));
		if (iteration == NULL)
			rt_fatal("no memory for an iteration of %" PRIu32
				 " dimensions; the program "
				 "ends here",
			    dimensions);
	}
	iteration[0] = outermost;
	for (uint32_t i = 1; i < dimensions; i++)
		iteration[i] = va_arg(others, uint64_t);
	rt_doacross_wait(self, iteration);
	if (is_watched)
		rt_doacross_emit(self, ompt_dependence_type_sink, iteration, dimensions);
	if (iteration != few)
		free(iteration);
}

static RT_COLD void wait_watched(uint64_t outermost, va_list others)
{
	struct rt_thread *self = rt_self();

	wait_with(self, outermost, others, rt_watched(RT_BY_TOOL));
}

/* Not inlined, so that a thread alone in its team saves no registers. */
static __attribute__((noinline)) void wait_among_others(
    struct rt_thread *self, uint64_t outermost, va_list others)
{
	wait_with(self, outermost, others, false);
}

static inline void wait(uint64_t outermost, va_list others)
{
	struct rt_thread *self = rt_unwatched;

	if (unlikely(self == NULL))
		wait_watched(outermost, others);
	else if (!is_alone(self))
		wait_among_others(self, outermost, others);
}

ENTRY(void, GOMP_doacross_wait, long outermost, ...)
{
	va_list others;

	va_start(others, outermost);
	wait((uint64_t)outermost, others);
	va_end(others);
}

ENTRY(void, GOMP_doacross_ull_wait, gomp_ull outermost, ...)
{
	va_list others;

	va_start(others, outermost);
	wait(outermost, others);
	va_end(others);
}
