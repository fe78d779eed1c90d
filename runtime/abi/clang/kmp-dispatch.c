/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops whose chunks the code requests one by one. Bounds are inclusive; the result 0 means that
 * there is no further chunk for the member. Since clang 19 a call ends the loop; earlier versions
 * end it with that result, so the loop ends there. *last is set with each chunk: the loop's last
 * chunk is begun after all others, so the member that has executed it gets no other one in between.
 */
#include "events.h"
#include "kmp-work-left.h"
#include "kmp.h"
#include "loops.h"
#include "race.h"
#include "team.h"
#include "watch.h"
#include "work-events.h"
#include "shared/loop-schedule.h"

/* The compilers' numbers; those of ordered loops are 32 higher. */
enum kmp_schedule {
	STATIC_CHUNKED = 33,
	STATIC,
	DYNAMIC,
	GUIDED,
	RUNTIME,
	AUTO,
	TRAPEZOIDAL,
	GREEDY,
	BALANCED,
	GUIDED_ITERATIVE,
	GUIDED_ANALYTICAL,
	STATIC_STEAL,
	BALANCED_CHUNKED,
	GUIDED_SIMD,
	RUNTIME_SIMD,
	SCHEDULES,
	ORDERED = 32,
	ORDERED_FIRST = 65,
	UNMERGED_FIRST = 160, /* iterations may not be merged, which nothing here does */
	UNMERGED = 128,
};

/*
 * How each schedule is executed. The chunks of trapezoidal loops shrink like those of guided ones.
 */
static const struct {
	enum rt_loop_kind kind;
	bool has_chunk;
} schedules[SCHEDULES] = {
    [STATIC_CHUNKED] = {RT_LOOP_STATIC, true},
    [STATIC] = {RT_LOOP_STATIC, false},
    [DYNAMIC] = {RT_LOOP_DYNAMIC, true},
    [GUIDED] = {RT_LOOP_GUIDED, true},
    [AUTO] = {RT_LOOP_STATIC, false},
    [TRAPEZOIDAL] = {RT_LOOP_GUIDED, true},
    [GREEDY] = {RT_LOOP_STATIC, false},
    [BALANCED] = {RT_LOOP_STATIC, false},
    [GUIDED_ITERATIVE] = {RT_LOOP_GUIDED, true},
    [GUIDED_ANALYTICAL] = {RT_LOOP_GUIDED, true},
    [STATIC_STEAL] = {RT_LOOP_DYNAMIC, true},
    [BALANCED_CHUNKED] = {RT_LOOP_STATIC, false},
    [GUIDED_SIMD] = {RT_LOOP_GUIDED, true},
};

/*
 * schedule(runtime), which is static for this code if run-sched-var was not set. width: the chunks
 * have to be multiples of this number of iterations, for simd instructions; 1: any.
 */
static void set_runtime_schedule(
    struct rt_thread *self, struct rt_loop_args *args, bool any_order, uint64_t width)
{
	if (self->task->icvs->run_sched_is_default &&
	    self->member->next_schedule.kind == LOOP_SCHEDULE_NONE)
		args->kind = RT_LOOP_STATIC;
	else
		rt_loop_runtime_schedule(self, args);
	args->nonmonotonic &= any_order;
	if (width == 1)
		return;
	args->multiples = args->kind == RT_LOOP_GUIDED;
	if (args->kind == RT_LOOP_STATIC && args->chunk == 0 && args->count != 0)
		args->chunk = kmp_balanced_chunk(args->count, self->team->size, width);
	else
		args->chunk = (args->chunk != 0 ? args->chunk : 1) * width;
}

/* Adds the schedule to the arguments; returns whether the loop is ordered. */
static bool set_schedule(
    struct rt_thread *self, struct rt_loop_args *args, int32_t schedule, int64_t given)
{
	bool ordered, any_order = schedule & KMP_SCHEDULE_NONMONOTONIC;
	int32_t kind = schedule & KMP_SCHEDULE_KIND;
	uint64_t chunk = given > 0 ? (uint64_t)given : 1;

	if (kind >= UNMERGED_FIRST)
		kind -= UNMERGED;
	ordered = kind >= ORDERED_FIRST;
	if (ordered)
		kind -= ORDERED;
	if (kind == RUNTIME || kind == RUNTIME_SIMD) {
		set_runtime_schedule(
		    self, args, any_order && !ordered, kind == RUNTIME_SIMD ? chunk : 1);
		return ordered;
	}
	if (kind == DYNAMIC && unlikely(given == DIVIDED_LOOP_CHUNK)) {
		args->kind = RT_LOOP_STATIC;
		args->chunk = rt_race_loop_chunk();
		return ordered;
	}
	if (kind == DYNAMIC && unlikely(given >= LANE_LOOP_CHUNK && rt_watched(RT_BY_RACE))) {
		args->kind = RT_LOOP_STATIC;
		args->chunk = (uint64_t)given - LANE_LOOP_CHUNK;
		args->lanes = true;
		return ordered;
	}
	if (kind < 0 || kind >= SCHEDULES || schedules[kind].kind == RT_LOOP_NONE)
		kind = STATIC;
	args->kind = schedules[kind].kind;
	args->nonmonotonic = (any_order || kind == STATIC_STEAL) && !ordered;
	args->multiples = kind == GUIDED_SIMD;
	if (schedules[kind].has_chunk)
		args->chunk = chunk;
	else if (kind == BALANCED_CHUNKED && args->count != 0)
		args->chunk = kmp_balanced_chunk(args->count, self->team->size, chunk);
	return ordered;
}

static RT_COLD void begin_watched(
    struct rt_thread *self, const struct rt_loop_args *args, const void *caller)
{
	if (rt_watched(RT_BY_TOOL))
		rt_work_begin_loop(self, args, false, caller);
}

/* is_part: another team has the loop's last iterations. */
static inline __attribute__((always_inline)) void begin(
    struct rt_loop_args args, int32_t schedule, int64_t chunk, bool is_part)
{
	struct rt_thread *self = rt_self();
	bool ordered = set_schedule(self, &args, schedule, chunk);

	kmp_leave_loop(self);
	rt_loop_begin(self, &args, ordered ? RT_SHARE_ORDERED : RT_SHARE_IF_NEEDED);
	self->member->loop.is_part = is_part;
	if (unlikely(self->member->loop.iteration_posts.dimensions != 0)) {
		rt_iteration_posts_count(self, args.count);
		self->member->loop.sure = 0; /* for debuggers, as in rt_doacross_begin() */
	}
	if (unlikely(rt_unwatched == NULL))
		begin_watched(self, &args, CALLER);
}

static RT_COLD void end_watched(struct rt_thread *self, const void *caller)
{
	if (rt_watched(RT_BY_TOOL))
		rt_work_end(self, caller);
}

/* A further request gets the same result. */
static inline __attribute__((always_inline)) void end(struct rt_thread *self)
{
	struct rt_loop *loop = &self->member->loop;

	if (unlikely(rt_unwatched == NULL))
		end_watched(self, CALLER);
	rt_loop_end(self);
	loop->args = (struct rt_loop_args){.kind = RT_LOOP_STATIC};
	loop->sure = 0;
}

/* One chunk, for the code. The limit of a chunk is one step after its last iteration. */
struct chunk {
	uint64_t first, last;
	bool is_last;
};

static inline __attribute__((always_inline)) bool next(struct chunk *chunk, int64_t *step)
{
	struct rt_thread *self = rt_self();
	struct rt_loop *loop = &self->member->loop;
	uint64_t limit;

	if (unlikely(!rt_loop_claim(loop, &chunk->first, &limit))) {
		if (!rt_loop_next(self)) {
			end(self);
			return false;
		}
		chunk->first = rt_loop_first(loop);
		limit = rt_loop_limit(loop);
	}
	chunk->last = limit - loop->args.step;
	chunk->is_last = limit == loop->args.end && !loop->is_part;
	*step = (int64_t)loop->args.step;
	return true;
}

KMP_ENTRY_PLAIN(void, __kmpc_dispatch_deinit)
{
	struct rt_thread *self = rt_self();

	KMP_UNUSED();
	if (unlikely(self->member->loop.share != NULL))
		end(self);
}

/* The turn of an ordered iteration passes on with the end of its chunk. */
#define FINI(suffix)                                                                               \
	KMP_ENTRY_PLAIN(void, __kmpc_dispatch_fini_##suffix)                                       \
	{                                                                                          \
		KMP_UNUSED();                                                                      \
	}
FINI(4)
FINI(4u)
FINI(8)
FINI(8u)

/* Functions for one type of bounds; `signed_type` is that of its size. */
#define FOR_TYPE(suffix, type, signed_type)                                                        \
	static inline struct rt_loop_args args_##suffix(type lower, type upper, signed_type step)  \
	{                                                                                          \
		struct rt_loop_args args = {.start = (uint64_t)lower, .step = (uint64_t)step};     \
		uint64_t distance = step > 0 ? (uint64_t)upper - (uint64_t)lower                   \
					     : (uint64_t)lower - (uint64_t)upper;                  \
		uint64_t size = step > 0 ? (uint64_t)step : -(uint64_t)step;                       \
                                                                                                   \
		if (step > 0 ? upper < lower : lower < upper)                                      \
			return args;                                                               \
		args.count = (size > 1 ? distance / size : distance) + 1;                          \
		args.end = args.start + args.count * args.step;                                    \
		return args;                                                                       \
	}                                                                                          \
                                                                                                   \
	KMP_ENTRY(void, __kmpc_dispatch_init_##suffix, int32_t schedule, type lower, type upper,   \
	    signed_type step, signed_type chunk)                                                   \
	{                                                                                          \
		KMP_UNUSED();                                                                      \
		begin(args_##suffix(lower, upper, step), schedule, chunk, false);                  \
	}                                                                                          \
                                                                                                   \
	/* Gives each team a part of the loop, of sizes as equal as possible. */                   \
	KMP_ENTRY(void, __kmpc_dist_dispatch_init_##suffix, int32_t schedule, int32_t *last,       \
	    type lower, type upper, signed_type step, signed_type chunk)                           \
	{                                                                                          \
		const struct rt_thread *self = rt_self();                                          \
		struct rt_loop_args args = args_##suffix(lower, upper, step);                      \
		uint64_t each = args.count / self->teams_count;                                    \
		uint64_t rest = args.count % self->teams_count, team = self->teams_number;         \
		bool is_part;                                                                      \
                                                                                                   \
		KMP_UNUSED();                                                                      \
		args.start += (team * each + (team < rest ? team : rest)) * args.step;             \
		args.count = each + (team < rest);                                                 \
		is_part = args.count == 0 || args.end != args.start + args.count * args.step;      \
		args.end = args.start + args.count * args.step;                                    \
		if (last != NULL)                                                                  \
			*last = !is_part;                                                          \
		begin(args, schedule, chunk, is_part);                                             \
	}                                                                                          \
                                                                                                   \
	KMP_ENTRY(int32_t, __kmpc_dispatch_next_##suffix, int32_t *last, type *lower, type *upper, \
	    signed_type *stride)                                                                   \
	{                                                                                          \
		struct chunk chunk;                                                                \
		int64_t step;                                                                      \
                                                                                                   \
		KMP_UNUSED();                                                                      \
		if (!next(&chunk, &step))                                                          \
			return 0;                                                                  \
		*lower = (type)chunk.first;                                                        \
		*upper = (type)chunk.last;                                                         \
		if (last != NULL)                                                                  \
			*last = chunk.is_last;                                                     \
		if (stride != NULL)                                                                \
			*stride = (signed_type)step;                                               \
		return 1;                                                                          \
	}

FOR_TYPE(4, int32_t, int32_t)
FOR_TYPE(4u, uint32_t, int32_t)
FOR_TYPE(8, int64_t, int64_t)
FOR_TYPE(8u, uint64_t, int64_t)
