/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of the replay: their stacks of strands, and which thread has the least time. */
#include "memory.h"
#include "replay-state.h"
#include "shared/precondition.h"

void live_go_on(struct live *live, uint32_t worker)
{
	*MEMORY_ADD(live->heap, live->heap_room, live->heap_count) =
	    (struct time_head){.time = live->workers[worker].time, .place = worker};
	time_heap_add(live->heap, live->heap_count);
}

uint32_t live_take_earliest(struct live *live)
{
	CHECK(live->heap_count > 0, "a worker can continue");

	uint32_t worker = live->heap[0].place;

	live->heap[0] = live->heap[--live->heap_count];
	if (live->heap_count > 0)
		time_heap_sift(live->heap, live->heap_count, 0);
	return worker;
}

uint32_t live_new_worker(struct live *live, uint64_t time)
{
	uint32_t worker;

	if (live->free_count > 0) {
		worker = live->free_workers[--live->free_count];
	} else {
		worker = (uint32_t)live->worker_count++;
		MEMORY_GROW(live->workers, live->worker_room, live->worker_count);
	}
	live->workers[worker].time = time;
	live->workers[worker].depth = 0;
	live->workers[worker].following = RECORDED_NONE;
	return worker;
}

void live_end_worker(struct live *live, uint32_t worker)
{
	*MEMORY_ADD(live->free_workers, live->free_room, live->free_count) = worker;
}

void live_push(struct live *live, uint32_t index, uint32_t strand, uint32_t team, uint32_t task)
{
	struct worker *worker = &live->workers[index];

	*MEMORY_ADD(worker->levels, worker->room, worker->depth) =
	    (struct level){.strand = strand, .team = team, .task = task};
}

/*
 * The construct that the wait counts for: that of a barrier or of tasks, or the one around an
 * awaited signal.
 */
static uint32_t waits_in(const struct live *live, const struct level *level)
{
	const struct action *actions = live->recording->strands[level->strand].actions;

	if (actions[level->next].kind != ACTION_AWAIT)
		return actions[level->next].subject;
	for (size_t i = level->next; i-- > 0;) {
		if (actions[i].kind == ACTION_ENTER || actions[i].kind == ACTION_CALL)
			return actions[i].subject;
	}
	return RECORDED_NONE;
}

/* What the thread needs after its wait; after another wait at a barrier than it had, the usual. */
static uint64_t cost_after(const struct live *live, const struct action *action, uint64_t wait)
{
	bool is_long = wait > live->recording->long_wait;

	return action->kind == ACTION_BARRIER && is_long != action->is_long
		   ? live->recording->barrier_costs[is_long]
		   : action->ticks;
}

void live_end_wait(struct live *live, uint32_t index, uint64_t now)
{
	struct worker *worker = &live->workers[index];
	struct level *level = live_top(worker);
	const struct action *action = live_action(live, level);

	if (worker->time < now)
		worker->time = now;
	worker->time += cost_after(live, action, worker->time - level->since);
	live->replay->waits[live_row(live, waits_in(live, level))] += worker->time - level->since;
	level->is_waiting = false;
	level->next++;
}
