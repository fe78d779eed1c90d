/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lanes of simd loops. `ompinst race` compiles such a loop as a region of one thread with a loop
 * that has a chunk which nobody writes (shared/loop-schedule.h). The thread executes the region's
 * function on several strands, each with its own private variables, as a simd instruction has them.
 * A strand gets a chunk of iterations, and then it is another one's turn, so that iterations are
 * executed in the order of the loop: what a program computes does not change, only which iterations
 * seem ordered. Which strand is next is a matter of chance: two iterations on one strand seem
 * ordered in this run, but not in each.
 *
 * safelen(n): iterations with a distance of n or more are ordered (OpenMP 5.2, 10.4). The loop is
 * divided into blocks of n iterations, of which the first one is shorter by chance. Each block
 * comes after the one before it, so that any two iterations with a smaller distance are in one
 * block in some run.
 *
 * Changing from one strand to another one takes a microsecond or more. So chunks grow in a long
 * execution, and after MANY changes a thread divides only some executions of the loop, fewer and
 * fewer.
 *
 * All lanes belong to one thread.
 */
#include "race-thread.h"
#include "race.h"
#include "shared/precondition.h"
#include "shared/race-log.h"
#include "tsan.h"

enum { LANES = 3, GROWS_AFTER = 1024, MOST_GROWTH = 40, MANY = 1 << 11 };

struct lane {
	struct rt_strand *strand;
	bool begun, works, ended; /* works: it has iterations */
	uint64_t block;           /* the last one in which it had some, from 1 on; 0: none */
};

struct rt_race_lanes {
	rt_strand_fn *fn;
	void *argument;
	struct lane lanes[LANES];
	uint32_t *changes;
	uint32_t count; /* 0: the loop is not divided */
	uint32_t current, begun;
	bool has_barrier;
	uint64_t next, chunks; /* the next iteration, and how many chunks were handed out */
	uint64_t width, first; /* of blocks, and of the first one; 0: there is only one */
	/* Their addresses represent the begin, the end, the ordered regions, a barrier; and what
	 * was done in the last block with an even number, and with an odd one. */
	char begin, end, order, barrier, done[2];
};

static void run_lane(void *argument)
{
	struct rt_race_lanes *lanes = argument;

	rt_tsan_acquire(&lanes->begin);
	lanes->fn(lanes->argument);
	rt_tsan_release(&lanes->end);
	lanes->lanes[lanes->current].ended = true;
}

static void forget(const struct rt_race_lanes *lanes)
{
	const char *const objects[] = {&lanes->begin, &lanes->end, &lanes->order, &lanes->barrier,
	    &lanes->done[0], &lanes->done[1]};

	for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
		rt_tsan_forget(objects[i]);
}

/* Is this execution of the loop to be divided? */
static bool is_due(struct rt_race_thread *thread, uint32_t changes)
{
	uint32_t rarity = 0;

	for (; changes >= MANY; changes /= 2)
		rarity++;
	return rarity == 0 || rt_race_random(thread) >> (32 - rarity) == 0;
}

/* A lane other than the current one that has not ended; the current one if there is none. */
static uint32_t choose_lane(struct rt_race_thread *thread, const struct rt_race_lanes *lanes)
{
	uint32_t first = rt_race_random(thread) % lanes->count;

	for (uint32_t i = 0; i < lanes->count; i++) {
		uint32_t lane = (first + i) % lanes->count;
		if (lane != lanes->current && !lanes->lanes[lane].ended)
			return lane;
	}
	return lanes->current;
}

/* Executes lanes until all have ended. Without a divided loop the region is executed once. */
static void call_lanes(struct rt_thread *self, struct rt_race_lanes *lanes)
{
	do {
		struct lane *lane = &lanes->lanes[lanes->current];
		if (!lane->begun)
			rt_strand_start(lane->strand, run_lane, lanes);
		lanes->begun += !lane->begun;
		lane->begun = true;
		rt_strand_resume(lane->strand);
		if (lanes->chunks == 0 && !lanes->has_barrier)
			break;
		lanes->current = choose_lane(self->race, lanes);
		++*lanes->changes;
	} while (!lanes->lanes[lanes->current].ended);
}

/* The innermost loop; within a lane further loops are not divided. */
static void take_lanes(struct rt_thread *self, struct rt_race_lanes *lanes)
{
	while (lanes->count < LANES) {
		struct rt_strand *strand = rt_strand_take(self, RACE_STRAND_LANE);
		if (strand == NULL)
			break;
		lanes->lanes[lanes->count++].strand = strand;
	}
}

void rt_race_call_lanes(struct rt_thread *self, const void *loop, rt_strand_fn *fn, void *argument)
{
	CHECK(rt_watched(RT_BY_RACE), "race detection is on");

	struct rt_race_thread *thread = self->race;
	struct rt_race_lanes lanes = {.fn = fn, .argument = argument};
	struct rt_race_lanes *outer = thread != NULL ? thread->lanes : NULL;

	if (thread != NULL) {
		lanes.changes = &thread->lane_changes[(uintptr_t)loop / 16 % RT_LANE_LOOPS];
		thread->lanes = &lanes;
	}
	if (outer == NULL && rt_race_loop_chunk() != 0 && rt_strands_exist(self) &&
	    is_due(thread, *lanes.changes))
		take_lanes(self, &lanes);
	if (lanes.count > 1) {
		void *back = __tsan_get_current_fiber();
		forget(&lanes);
		rt_tsan_release(&lanes.begin);
		call_lanes(self, &lanes);
		rt_strand_back(back);
		rt_tsan_acquire(&lanes.end);
	} else {
		fn(argument);
	}
	for (uint32_t i = 0; i < lanes.count; i++)
		rt_strand_give(lanes.lanes[i].strand);
	if (thread != NULL)
		thread->lanes = outer;
}

/* Another lane's turn. */
static void leave(struct rt_race_lanes *lanes)
{
	rt_strand_leave(lanes->lanes[lanes->current].strand);
}

/* The block of an iteration, from 1 on, and where it ends. */
static uint64_t find_block(const struct rt_race_lanes *lanes, uint64_t iteration, uint64_t *end)
{
	if (lanes->width == 0) {
		*end = UINT64_MAX;
		return 1;
	}
	const uint64_t block =
	    iteration < lanes->first ? 0 : (iteration - lanes->first) / lanes->width + 1;
	*end = lanes->first + block * lanes->width;
	return block + 1;
}

/* Blocks come one after the other: the objects of two of them suffice. */
static void enter_block(struct rt_race_lanes *lanes, struct lane *lane, uint64_t block)
{
	if (lane->block == block || lanes->width == 0)
		return;
	lane->block = block;
	rt_tsan_acquire(&lanes->done[(block - 1) % 2]);
}

/* Gives the lane the next iterations, up to the end of a block. */
static void take_chunk(struct rt_race_lanes *lanes, struct lane *lane, struct rt_lane_loop *loop)
{
	const uint64_t growth = lanes->chunks++ / GROWS_AFTER;
	const uint64_t chunk = (uint64_t)rt_race_loop_chunk()
			       << (growth < MOST_GROWTH ? growth : MOST_GROWTH);
	uint64_t end;

	enter_block(lanes, lane, find_block(lanes, lanes->next, &end));
	if (lanes->width != 0 && chunk > end - lanes->next) {
		const uint64_t more = (chunk - (end - lanes->next)) / lanes->width;
		lane->block += more;
		end += more * lanes->width;
	}
	if (end > loop->count)
		end = loop->count;
	loop->low = lanes->next;
	loop->high = end - loop->low > chunk ? loop->low + chunk : end;
	lanes->next = loop->high;
}

bool rt_race_next_lane(struct rt_thread *self, struct rt_lane_loop *loop)
{
	struct rt_race_lanes *lanes = self->race != NULL ? self->race->lanes : NULL;

	if (lanes == NULL || lanes->count < 2) {
		loop->low = loop->high;
		loop->high = loop->count;
		return loop->low < loop->high;
	}
	struct lane *lane = &lanes->lanes[lanes->current];
	if (lane->works) {
		if (lanes->width != 0)
			rt_tsan_release(&lanes->done[lane->block % 2]);
		leave(lanes);
	} else if (lanes->chunks == 0 && loop->safelen != 0) {
		lanes->width = loop->safelen;
		lanes->first = 1 + rt_race_random(self->race) % loop->safelen;
	}
	/* gcc's code lets all threads write last values of a loop without iterations. */
	if (loop->count == 0)
		rt_tsan_acquire(&lanes->end);
	lane->works = lanes->next < loop->count;
	if (lane->works)
		take_chunk(lanes, lane, loop);
	return lane->works;
}

static struct rt_race_lanes *divided_lanes(const struct rt_thread *self)
{
	struct rt_race_lanes *lanes =
	    rt_watched(RT_BY_RACE) && self->race != NULL ? self->race->lanes : NULL;

	return lanes != NULL && lanes->count > 1 ? lanes : NULL;
}

void rt_race_lane_barrier(struct rt_thread *self)
{
	struct rt_race_lanes *lanes = divided_lanes(self);

	if (lanes == NULL)
		return;
	rt_tsan_release(&lanes->barrier);
	lanes->has_barrier = true;
	while (lanes->begun < lanes->count)
		leave(lanes);
	rt_tsan_acquire(&lanes->barrier);
}

void rt_race_lane_ordered(struct rt_thread *self, bool begins)
{
	struct rt_race_lanes *lanes = divided_lanes(self);

	if (lanes != NULL && begins)
		rt_tsan_acquire(&lanes->order);
	else if (lanes != NULL)
		rt_tsan_release(&lanes->order);
}
