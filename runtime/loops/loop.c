/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loop schedules, on logical iterations 0 .. count - 1.
 *
 * static: each member computes its iterations alone: q + 1 for the first count % size members and q
 * for the rest, as compilers do it inline, or chunks in turn.
 *
 * dynamic: one addition claims one chunk. A thread holds no chunk that it has not begun, so a
 * thread in one long iteration withholds nothing from the others (OpenMP 5.1, table 2.5: a thread
 * executes a chunk, then requests another). If the schedule is monotonic, and in short loops,
 * `next_iteration` counts the chunks of all members; otherwise each member has a share of the
 * chunks and steals from the others (rt_chunk_stealing_begin()).
 *
 * guided: `next_iteration` counts iterations. A claim takes the rest divided by the number of
 * members, at least one chunk, and only whole chunks if the loop is to be executed by simd
 * instructions.
 *
 * All operations on `next_iteration` are relaxed: they divide the iterations and publish nothing.
 *
 * A team of one gets every loop in one piece, which all schedules allow.
 *
 * If somebody notes how the work is spread over iterations, each chunk is handed out in pieces to
 * the member that has it; no schedule can tell (shared/loop-marks.h).
 */
#include "chunk-stealing.h"
#include "loops.h"
#include "race.h"
#include "shared/loop-marks.h"
#include "shared/precondition.h"
#include "team.h"
#include "watch.h"
#include "work-events.h"

/* OpenMP's count of iterations, with differences modulo 2^64 so that no type overflows. */
static uint64_t count_up(uint64_t start, uint64_t end, uint64_t step)
{
	return (end - start - 1) / step + 1;
}

struct rt_loop_args rt_loop_args_signed(long start, long end, long step)
{
	struct rt_loop_args args = {
	    .start = (uint64_t)start, .end = (uint64_t)end, .step = (uint64_t)step};

	if (step > 0 && start < end)
		args.count = count_up(args.start, args.end, args.step);
	else if (step < 0 && start > end)
		args.count = count_up(args.end, args.start, -args.step);
	return args;
}

struct rt_loop_args rt_loop_args_unsigned(bool up, uint64_t start, uint64_t end, uint64_t step)
{
	struct rt_loop_args args = {.start = start, .end = end, .step = step};

	if (up && start < end)
		args.count = count_up(start, end, step);
	else if (!up && start > end)
		args.count = count_up(end, start, -step);
	return args;
}

void rt_loop_runtime_schedule(struct rt_thread *self, struct rt_loop_args *args)
{
	const struct rt_task_icvs *icvs = self->task->icvs;
	struct loop_schedule *next = &self->member->next_schedule;
	uint32_t kind = icvs->run_sched_kind;
	int32_t given = icvs->run_sched_chunk;

	if (unlikely(next->kind != LOOP_SCHEDULE_NONE)) {
		kind = next->kind;
		given = next->chunk;
		next->kind = LOOP_SCHEDULE_NONE;
		args->marks = self->member->next_marks;
	}
	uint32_t chunk = given > 0 ? (uint32_t)given : 0;
	switch (kind & ~RT_SCHEDULE_MONOTONIC) {
	case RT_SCHEDULE_DYNAMIC:
		args->kind = RT_LOOP_DYNAMIC;
		args->nonmonotonic = !(kind & RT_SCHEDULE_MONOTONIC);
		args->chunk = chunk;
		break;
	case RT_SCHEDULE_GUIDED:
		args->kind = RT_LOOP_GUIDED;
		args->chunk = chunk;
		break;
	case RT_SCHEDULE_AUTO:
		args->kind = RT_LOOP_STATIC;
		args->chunk = 0;
		break;
	default:
		args->kind = RT_LOOP_STATIC;
		args->chunk = chunk;
	}
}

static void begin_dynamic(struct rt_thread *self, struct rt_loop *loop)
{
	loop->chunks =
	    loop->args.count / loop->args.chunk + (loop->args.count % loop->args.chunk != 0);
	loop->chunk_step = loop->args.chunk * loop->args.step;
	loop->is_stealing = loop->args.nonmonotonic && rt_chunk_stealing_begin(self, loop->chunks);
	if (loop->unusual != 0 || rt_watched(RT_BY_CANCELLATION))
		return;
	if (loop->is_stealing) {
		rt_chunk_stealing_set_claims(self);
		return;
	}
	loop->taken = &loop->share->next_iteration;
	loop->sure = loop->chunks;
	loop->claim_start = loop->args.start;
	loop->claim_step = loop->chunk_step;
	loop->last_claim = loop->chunks - 1;
}

static void begin_marks(struct rt_loop *loop, uint32_t size)
{
	struct loop_marks *marks = loop->args.marks;

	loop->unusual |= RT_LOOP_MARKED;
	marks->count = loop->args.count;
	marks->size = size;
	loop->chunk_end = 0;
	loop->piece = marks->note(marks, 0, 0);
}

void rt_loop_begin(
    struct rt_thread *self, const struct rt_loop_args *args, enum rt_loop_share share)
{
	CHECK(self == rt_current, "the calling member begins the loop");
	CHECK(args->kind != RT_LOOP_NONE, "the loop has a schedule");

	struct rt_loop *loop = &self->member->loop;
	bool alone = self->team->size == 1;

	loop->args = *args;
	if (loop->args.kind != RT_LOOP_STATIC && loop->args.chunk == 0)
		loop->args.chunk = 1;
	if (alone) {
		loop->args.kind = RT_LOOP_STATIC;
		loop->args.chunk = args->lanes ? args->chunk : 0;
	}
	loop->low = loop->high = loop->trips = 0;
	loop->ordered_done = 0;
	loop->turn_passed = true;
	loop->unusual = share == RT_SHARE_ORDERED && !alone ? RT_LOOP_ORDERED : 0;
	if (rt_watched(RT_BY_RACE) && loop->args.kind != RT_LOOP_STATIC)
		loop->unusual |= RT_LOOP_RACE;
	if (unlikely(loop->args.lanes))
		loop->unusual |= RT_LOOP_LANES;
	if (unlikely(loop->args.marks != NULL))
		begin_marks(loop, self->team->size);
	loop->dimensions = 0;
	loop->share = NULL;
	if (loop->args.kind != RT_LOOP_STATIC || share != RT_SHARE_IF_NEEDED ||
	    rt_watched(RT_BY_CANCELLATION))
		rt_workshare_enter(self);
	loop->is_stealing = false;
	loop->sure = 0;
	if (loop->args.kind == RT_LOOP_DYNAMIC)
		begin_dynamic(self, loop);
}

void rt_loop_enter_team(struct rt_thread *self)
{
	rt_loop_begin(self, &self->team->loop_args, RT_SHARE_IF_NEEDED);
}

static bool next_static(struct rt_loop *loop, uint32_t number, uint32_t size)
{
	uint64_t count = loop->args.count, chunk = loop->args.chunk, trip = loop->trips++;

	if (chunk == 0) {
		uint64_t each = count / size, rest = count % size;
		if (trip != 0)
			return false;
		loop->low = number * each + (number < rest ? number : rest);
		loop->high = loop->low + each + (number < rest);
		return loop->low < loop->high;
	}
	trip = trip * size + number;
	if (trip > (count - 1) / chunk || count == 0)
		return false;
	loop->low = trip * chunk;
	loop->high = count - loop->low > chunk ? loop->low + chunk : count;
	return true;
}

static bool next_dynamic(struct rt_thread *self, struct rt_loop *loop)
{
	uint64_t count = loop->args.count, chunk = loop->args.chunk, trip;

	if (loop->is_stealing) {
		if (!rt_chunk_stealing_next(self, &trip))
			return false;
	} else {
		trip = add_relaxed(&loop->share->next_iteration, 1);
		if (trip >= loop->chunks)
			return false;
	}
	loop->low = trip * chunk;
	loop->high = count - loop->low > chunk ? loop->low + chunk : count;
	return true;
}

/* Rounds `part` up to a multiple of `chunk`, but to no more than the rest. */
static uint64_t whole_chunks(uint64_t part, uint64_t chunk, uint64_t rest)
{
	uint64_t missing = (chunk - part % chunk) % chunk;

	return missing < rest - part ? part + missing : rest;
}

static bool next_guided(struct rt_loop *loop, uint32_t size)
{
	uint64_t count = loop->args.count, chunk = loop->args.chunk;
	uint64_t low = load_relaxed(&loop->share->next_iteration), part;

	do {
		uint64_t rest = count - low;
		if (rest == 0)
			return false;
		part = rest / size + (rest % size != 0);
		if (part < chunk)
			part = chunk;
		else if (unlikely(loop->args.multiples))
			part = whole_chunks(part, chunk, rest);
		if (part > rest)
			part = rest;
	} while (!cas_relaxed(&loop->share->next_iteration, &low, low + part));
	loop->low = low;
	loop->high = low + part;
	return true;
}

static inline __attribute__((always_inline)) bool next(struct rt_thread *self, struct rt_loop *loop)
{
	bool found;

	if (rt_watched(RT_BY_CANCELLATION) && loop->share != NULL &&
	    (load_acquire(&loop->share->cancelled) || load_acquire(&self->team->cancelled)))
		return false;
	if (loop->args.kind == RT_LOOP_DYNAMIC)
		found = next_dynamic(self, loop);
	else if (loop->args.kind == RT_LOOP_GUIDED)
		found = next_guided(loop, self->team->size);
	else
		found = next_static(loop, self->number, self->team->size);
	loop->ordered_done = 0;
	loop->turn_passed = !found;
	return found;
}

/* Notes the piece that is done. True: the next one is of the same chunk. */
static bool next_piece(struct rt_loop *loop)
{
	struct loop_marks *marks = loop->args.marks;

	if (loop->high == loop->low)
		return false; /* there was none */
	loop->piece = marks->note(marks, loop->low, loop->high);
	if (loop->high == loop->chunk_end)
		return false;
	loop->low = loop->high;
	if (loop->chunk_end - loop->low > loop->piece)
		loop->high = loop->low + loop->piece;
	else
		loop->high = loop->chunk_end;
	return true;
}

/* The first piece of the chunk that was just taken. */
static void divide_chunk(struct rt_loop *loop)
{
	loop->chunk_end = loop->high;
	if (loop->high - loop->low > loop->piece)
		loop->high = loop->low + loop->piece;
}

static bool next_lane(struct rt_thread *self, struct rt_loop *loop)
{
	struct rt_lane_loop lane = {loop->args.count, loop->args.chunk, loop->low, loop->high};
	bool found = rt_race_next_lane(self, &lane);

	loop->low = lane.low;
	loop->high = lane.high;
	return found;
}

/* The next chunk of a loop with unusual properties, enum rt_loop_unusual. */
static __attribute__((noinline)) bool next_unusual(struct rt_thread *self, struct rt_loop *loop)
{
	bool found;

	if (loop->unusual & RT_LOOP_LANES)
		return next_lane(self, loop);
	if (loop->unusual & RT_LOOP_MARKED && next_piece(loop))
		return true;
	if (loop->unusual & RT_LOOP_ORDERED)
		rt_ordered_leave_chunk(self);
	if (loop->unusual & RT_LOOP_RACE)
		rt_race_share(self);
	found = next(self, loop);
	if (found && (loop->unusual & RT_LOOP_WATCHED))
		rt_work_dispatch_chunk(self);
	if (found && (loop->unusual & RT_LOOP_MARKED))
		divide_chunk(loop);
	return found;
}

bool rt_loop_next(struct rt_thread *self)
{
	struct rt_loop *loop = &self->member->loop;

	return likely(loop->unusual == 0) ? next(self, loop) : next_unusual(self, loop);
}

void rt_loop_end(struct rt_thread *self)
{
	struct rt_loop *loop = &self->member->loop;

	if (loop->unusual & RT_LOOP_ORDERED)
		rt_ordered_leave_chunk(self);
	loop->unusual &= RT_LOOP_LANES; /* other lanes may still be in the loop */
	loop->dimensions = 0;
	rt_workshare_leave(self);
	loop->is_stealing = false;
}
