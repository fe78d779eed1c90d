/* SPDX-License-Identifier: BSD-3-Clause */
/* parallel, alone and combined with a loop or sections; sections. */
#include "abi.h"
#include "events.h"
#include "loop-entry.h"
#include "loops.h"
#include "parallel-region.h"
#include "race.h"
#include "with-tool.h"
#include "work-end.h"
#include "work-events.h"

/*
 * Begins and ends the region. Tools see where the program called the entry point that contains
 * this.
 */
#define FORK_AND_JOIN(request)                                                                     \
	({                                                                                         \
		struct rt_thread *self = rt_unwatched;                                             \
		likely(self != NULL)                                                               \
		    ? rt_parallel(self, request)                                                   \
		    : parallel_watched(request, RT_RETURN_ADDRESS, __builtin_dwarf_cfa());         \
	})

/* The thread is new, or a tool is attached. */
static RT_COLD uint32_t parallel_watched(
    const struct rt_region_request *request, const void *caller, void *frame)
{
	struct rt_thread *self = rt_self();

	if (!rt_watched(RT_BY_TOOL))
		return rt_watched(RT_BY_RACE) ? rt_parallel_for_race(self, request)
					      : rt_parallel(self, request);
	return rt_parallel_with_tool(rt_tool_note_call(self, caller, frame), request);
}

/* Only begins the region. */
#define FORK(request)                                                                              \
	do {                                                                                       \
		struct rt_thread *self = rt_self();                                                \
		rt_note_call(&self);                                                               \
		rt_parallel_begin(self, request);                                                  \
	} while (0)

ENTRY(void, GOMP_parallel, rt_region_fn *fn, void *data, unsigned threads, unsigned flags)
{
	struct rt_region_request request = {
	    .fn = fn, .data = data, .num_threads = threads, .flags = flags};

	FORK_AND_JOIN(&request);
}

/*
 * The first word of the data is the array that describes the reductions. The caller combines the
 * copies until GOMP_taskgroup_reduction_unregister().
 */
ENTRY(unsigned, GOMP_parallel_reductions, rt_region_fn *fn, void *data, unsigned threads,
    unsigned flags)
{
	struct rt_region_request request = {.fn = fn,
	    .data = data,
	    .num_threads = threads,
	    .flags = flags,
	    .reductions = *(uintptr_t **)data};
	struct rt_thread *self = rt_self();
	const void *codeptr;
	unsigned size;

	if (!rt_note_call(&self))
		return rt_parallel(self, &request);
	codeptr = self->tool.codeptr;
	size = rt_parallel_with_tool(self, &request);
	rt_reduction_combine_begin_with_tool(self, codeptr);
	return size;
}

/* Code of GCC before 4.9 calls the body of the forking thread itself. */
ENTRY(void, GOMP_parallel_start, rt_region_fn *fn, void *data, unsigned threads)
{
	struct rt_region_request request = {.fn = fn, .data = data, .num_threads = threads};

	FORK(&request);
}

ENTRY(void, GOMP_parallel_end, void)
{
	rt_parallel_end(rt_self());
}

static struct rt_region_request combined(
    rt_region_fn *fn, void *data, unsigned threads, unsigned flags, const struct rt_loop_args *loop)
{
	return (struct rt_region_request){
	    .fn = fn, .data = data, .num_threads = threads, .flags = flags, .loop = loop};
}

#define LOOP(name, schedule)                                                                       \
	ENTRY(void, name, rt_region_fn *fn, void *data, unsigned threads, long begin, long end,    \
	    long step, long chunk, unsigned flags)                                                 \
	{                                                                                          \
		struct rt_loop_args loop = rt_loop_args_for(                                       \
		    rt_loop_args_signed(begin, end, step), schedule, (uint64_t)chunk);             \
		struct rt_region_request request = combined(fn, data, threads, flags, &loop);      \
		FORK_AND_JOIN(&request);                                                           \
	}
#define OLD_LOOP(name, schedule)                                                                   \
	ENTRY(void, name, rt_region_fn *fn, void *data, unsigned threads, long begin, long end,    \
	    long step, long chunk)                                                                 \
	{                                                                                          \
		struct rt_loop_args loop = rt_loop_args_for(                                       \
		    rt_loop_args_signed(begin, end, step), schedule, (uint64_t)chunk);             \
		struct rt_region_request request = combined(fn, data, threads, 0, &loop);          \
		FORK(&request);                                                                    \
	}

LOOP(GOMP_parallel_loop_static, GFS_STATIC)
LOOP(GOMP_parallel_loop_dynamic, MONOTONIC(GFS_DYNAMIC))
LOOP(GOMP_parallel_loop_guided, GFS_GUIDED)
LOOP(GOMP_parallel_loop_nonmonotonic_dynamic, GFS_DYNAMIC)
LOOP(GOMP_parallel_loop_nonmonotonic_guided, GFS_GUIDED)
OLD_LOOP(GOMP_parallel_loop_static_start, GFS_STATIC)
OLD_LOOP(GOMP_parallel_loop_dynamic_start, MONOTONIC(GFS_DYNAMIC))
OLD_LOOP(GOMP_parallel_loop_guided_start, GFS_GUIDED)

/*
 * The encountering member may be about to begin a loop of its own, whose schedule this one does not
 * take: ompinst_next_loop().
 */
static struct rt_loop_args runtime_loop(struct rt_loop_args args, long schedule)
{
	struct loop_schedule *next = &rt_self()->member->next_schedule;
	const struct loop_schedule kept = *next;

	next->kind = LOOP_SCHEDULE_NONE;
	args = rt_loop_args_for(args, schedule, 0);
	*next = kept;
	return args;
}

#define RUNTIME_LOOP(name, schedule)                                                               \
	ENTRY(void, name, rt_region_fn *fn, void *data, unsigned threads, long begin, long end,    \
	    long step, unsigned flags)                                                             \
	{                                                                                          \
		struct rt_loop_args loop =                                                         \
		    runtime_loop(rt_loop_args_signed(begin, end, step), schedule);                 \
		struct rt_region_request request = combined(fn, data, threads, flags, &loop);      \
		FORK_AND_JOIN(&request);                                                           \
	}

RUNTIME_LOOP(GOMP_parallel_loop_runtime, MONOTONIC(GFS_RUNTIME))
RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime, GFS_RUNTIME)
RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime, GFS_RUNTIME)

ENTRY(void, GOMP_parallel_loop_runtime_start, rt_region_fn *fn, void *data, unsigned threads,
    long begin, long end, long step)
{
	struct rt_loop_args loop =
	    runtime_loop(rt_loop_args_signed(begin, end, step), MONOTONIC(GFS_RUNTIME));
	struct rt_region_request request = combined(fn, data, threads, 0, &loop);

	FORK(&request);
}

/* Sections are a dynamic loop over their numbers. */
static struct rt_loop_args sections(unsigned count)
{
	return (struct rt_loop_args){.kind = RT_LOOP_DYNAMIC,
	    .end = count,
	    .step = 1,
	    .count = count,
	    .chunk = 1,
	    .is_sections = true};
}

ENTRY(void, GOMP_parallel_sections, rt_region_fn *fn, void *data, unsigned threads, unsigned count,
    unsigned flags)
{
	struct rt_loop_args loop = sections(count);
	struct rt_region_request request = combined(fn, data, threads, flags, &loop);

	FORK_AND_JOIN(&request);
}

ENTRY(void, GOMP_parallel_sections_start, rt_region_fn *fn, void *data, unsigned threads,
    unsigned count)
{
	struct rt_loop_args loop = sections(count);
	struct rt_region_request request = combined(fn, data, threads, 0, &loop);

	FORK(&request);
}

/* Within its chunk a member increments `low` itself: one section at a time. 0: there is none. */
static unsigned next_section(struct rt_thread *self)
{
	struct rt_loop *loop = &self->member->loop;

	if (loop->low >= loop->high && !rt_loop_next(self))
		return 0;
	return (unsigned)++loop->low;
}

static RT_COLD unsigned next_section_watched(struct rt_thread *self, const void *caller)
{
	unsigned section = next_section(self);

	if (section != 0 && rt_watched(RT_BY_RACE) && self->team->size > 1)
		rt_race_take_section(section);
	if (section != 0 && rt_watched(RT_BY_TOOL))
		rt_work_dispatch_section(self, caller);
	return section;
}

/* Called after the member has entered the construct. */
static inline __attribute__((always_inline)) unsigned first_section(
    struct rt_thread *self, const struct rt_loop_args *args)
{
	if (!rt_watched(RT_BY_TOOL | RT_BY_RACE))
		return next_section(self);
	if (rt_watched(RT_BY_RACE) && self->team->size > 1)
		rt_race_take_single(false);
	if (rt_watched(RT_BY_TOOL))
		rt_work_begin_loop(self, args, false, CALLER);
	return next_section_watched(self, CALLER);
}

ENTRY(unsigned, GOMP_sections_next, void)
{
	struct rt_thread *self = rt_unwatched;

	return likely(self != NULL) ? next_section(self) : next_section_watched(rt_self(), CALLER);
}

ENTRY(unsigned, GOMP_sections_start, unsigned count)
{
	struct rt_thread *self = rt_self();
	struct rt_loop_args args = sections(count);

	rt_loop_begin(self, &args, RT_SHARE_IF_NEEDED);
	return first_section(self, &args);
}

ENTRY(unsigned, GOMP_sections2_start, unsigned count, uintptr_t *reductions, void **memory)
{
	struct rt_thread *self = rt_self();
	struct rt_loop_args args = sections(count);

	rt_loop_begin(self, &args, RT_SHARE_ALWAYS);
	rt_share_storage(self, reductions, memory);
	return first_section(self, &args);
}

ENTRY(void, GOMP_sections_end_nowait, void)
{
	end_work_share();
}

ENTRY(void, GOMP_sections_end, void)
{
	end_work_share_with_barrier();
}

ENTRY(bool, GOMP_sections_end_cancel, void)
{
	return end_work_share_cancellable();
}
