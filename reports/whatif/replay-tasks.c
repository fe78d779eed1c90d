/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers and tasks in the replay. A thread at a barrier takes the oldest task of its team. A
 * thread that waits for tasks takes the newest of those it waits for, or else the newest of all. A
 * thread executes a task to its end and takes other tasks meanwhile only when that task waits.
 */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "replay-state.h"

/* How many of the newest tasks a waiting thread searches for one of its own. */
#define OWN_SOUGHT 32

void live_start_tasks(struct live *live)
{
	const struct recording *recording = live->recording;

	for (size_t i = 0; i < recording->task_count; i++) {
		live->tasks[i].first_successor = live->tasks[i].next_successor = RECORDED_NONE;
		live->strands[recording->tasks[i].strand].task = (uint32_t)i;
	}
}

static uint32_t take_at(struct live_team *team, size_t at)
{
	uint32_t task = team->ready[at];
	size_t end = team->ready_first + team->ready_count;

	if (at == team->ready_first)
		team->ready_first++;
	else
		memmove(&team->ready[at], &team->ready[at + 1],
		    (end - at - 1) * sizeof(team->ready[0]));
	if (--team->ready_count == 0)
		team->ready_first = 0;
	return task;
}

/* The task that this waiting thread takes next, or RECORDED_NONE. */
static uint32_t take_ready(struct live *live, struct live_team *team, const struct level *level)
{
	size_t end = team->ready_first + team->ready_count;
	enum action_kind kind = live_action(live, level)->kind;

	if (team->ready_count == 0)
		return RECORDED_NONE;
	if (kind == ACTION_BARRIER)
		return take_at(team, team->ready_first);
	for (size_t i = 0; i < team->ready_count && i < OWN_SOUGHT; i++) {
		uint32_t task = team->ready[end - 1 - i];

		if (live->recording->tasks[task].creator == level->strand)
			return take_at(team, end - 1 - i);
	}
	return take_at(team, end - 1);
}

static void begin(struct live *live, uint32_t index, uint32_t number)
{
	const struct recorded_task *task = &live->recording->tasks[number];

	live->workers[index].time += task->dispatch;
	live_push(live, index, task->strand, task->team, number);
	live_go_on(live, index);
}

/* The worker has nothing to do: it takes a task, or becomes idle until there is one. */
static void seek(struct live *live, uint32_t index)
{
	struct level *level = live_top(&live->workers[index]);
	struct live_team *team;
	uint32_t task;

	if (level->team == RECORDED_NONE)
		return;
	team = &live->teams[level->team];
	task = take_ready(live, team, level);
	if (task != RECORDED_NONE) {
		begin(live, index, task);
		return;
	}
	*MEMORY_ADD(team->idle, team->idle_room, team->idle_count) = index;
}

/*
 * Whether each member waits at the team's barrier. In a recording of a damaged archive some may
 * have ended, or are elsewhere, although as many have arrived; the replay then gets stuck.
 */
static bool all_wait(const struct live *live, uint32_t number)
{
	const struct live_team *team = &live->teams[number];

	for (uint32_t i = 0; i < live->recording->teams[number].size; i++) {
		struct worker *worker = &live->workers[team->workers[i]];

		if (worker->depth == 0 || !live_top(worker)->is_waiting ||
		    live_top(worker)->team != number)
			return false;
	}
	return true;
}

/* Releases the members if all have arrived and no task is left. */
static bool release(struct live *live, uint32_t number, uint64_t now)
{
	uint32_t size = live->recording->teams[number].size;
	struct live_team *team = &live->teams[number];

	if (team->arrived < size || team->open_tasks > 0 || !all_wait(live, number))
		return false;
	team->arrived = 0;
	team->idle_count = 0;
	for (uint32_t i = 0; i < size; i++) {
		live_end_wait(live, team->workers[i], now);
		live_go_on(live, team->workers[i]);
	}
	return true;
}

bool live_arrive(struct live *live, uint32_t index)
{
	struct worker *worker = &live->workers[index];
	struct level *level = live_top(worker);

	level->since = worker->time;
	if (level->team == RECORDED_NONE || level->task != RECORDED_NONE) {
		live_end_wait(live, index, worker->time);
		return true;
	}
	level->is_waiting = true;
	live->teams[level->team].arrived++;
	if (!release(live, level->team, worker->time))
		seek(live, index);
	return false;
}

static void become_ready(struct live *live, uint32_t number, uint64_t now)
{
	const struct recorded_task *task = &live->recording->tasks[number];
	struct live_team *team = &live->teams[task->team];
	uint32_t index;

	if (team->idle_count > 0) {
		index = team->idle[--team->idle_count];
		if (live->workers[index].time < now)
			live->workers[index].time = now;
		begin(live, index, number);
		return;
	}
	if (team->ready_first > 0 && team->ready_first + team->ready_count == team->ready_room) {
		memmove(team->ready, team->ready + team->ready_first,
		    team->ready_count * sizeof(team->ready[0]));
		team->ready_first = 0;
	}
	MEMORY_GROW(team->ready, team->ready_room, team->ready_first + team->ready_count + 1);
	team->ready[team->ready_first + team->ready_count++] = number;
}

void live_create(struct live *live, uint32_t index, uint32_t number)
{
	const struct recorded_task *task = &live->recording->tasks[number];
	struct live_task *created = &live->tasks[number];
	uint32_t strand = task->creator;

	/* Outside of a team, no other thread can execute a task. */
	if (task->is_immediate || created->is_created || task->team == RECORDED_NONE)
		return;
	created->is_created = true;
	live->teams[task->team].open_tasks++;
	live->strands[strand].children++;
	for (;;) {
		live->strands[strand].descendants++;
		if (live->strands[strand].task == RECORDED_NONE)
			break;
		strand = live->recording->tasks[live->strands[strand].task].creator;
	}
	if (task->after != RECORDED_NONE && live->tasks[task->after].is_created &&
	    !live->tasks[task->after].is_completed) {
		created->next_successor = live->tasks[task->after].first_successor;
		live->tasks[task->after].first_successor = number;
	} else {
		become_ready(live, number, live->workers[index].time);
	}
}

static bool is_satisfied(const struct live *live, const struct level *level)
{
	const struct live_strand *strand = &live->strands[level->strand];

	return live_action(live, level)->kind == ACTION_WAIT_ALL ? strand->descendants == 0
								 : strand->children == 0;
}

bool live_wait_tasks(struct live *live, uint32_t index)
{
	struct worker *worker = &live->workers[index];
	struct level *level = live_top(worker);

	level->since = worker->time;
	if (is_satisfied(live, level)) {
		live_end_wait(live, index, worker->time);
		return true;
	}
	level->is_waiting = true;
	live->strands[level->strand].waiter = index;
	seek(live, index);
	return false;
}

static void remove_idle(struct live_team *team, uint32_t index)
{
	for (size_t i = 0; i < team->idle_count; i++) {
		if (team->idle[i] == index) {
			team->idle[i] = team->idle[--team->idle_count];
			return;
		}
	}
}

/*
 * If a thread other than `without` is idle in the strand and has nothing left to wait for, it
 * continues.
 */
static void wake(struct live *live, uint32_t strand, uint32_t without, uint64_t now)
{
	uint32_t index = live->strands[strand].waiter;
	struct level *level;

	if (index == RECORDED_NONE || index == without)
		return;
	level = live_top(&live->workers[index]);
	if (level->strand != strand || !level->is_waiting || !is_satisfied(live, level))
		return;
	live->strands[strand].waiter = RECORDED_NONE;
	remove_idle(&live->teams[level->team], index);
	live_end_wait(live, index, now);
	live_go_on(live, index);
}

/* Counts the task as completed by that worker and wakes other workers that waited only for it. */
static void settle(struct live *live, uint32_t number, uint32_t by, uint64_t now)
{
	const struct recorded_task *task = &live->recording->tasks[number];
	struct live_task *completed = &live->tasks[number];
	uint32_t strand = task->creator;

	completed->is_completed = true;
	if (!completed->is_created)
		return;
	live->teams[task->team].open_tasks--;
	live->strands[strand].children--;
	for (;;) {
		live->strands[strand].descendants--;
		wake(live, strand, by, now);
		if (live->strands[strand].task == RECORDED_NONE)
			break;
		strand = live->recording->tasks[live->strands[strand].task].creator;
	}
	for (uint32_t next = completed->first_successor; next != RECORDED_NONE;
	     next = live->tasks[next].next_successor)
		become_ready(live, next, now);
}

bool live_complete(struct live *live, uint32_t index)
{
	struct worker *worker = &live->workers[index];
	uint32_t task = live_top(worker)->task;
	uint64_t now = worker->time;
	struct level *below;

	worker->depth--;
	below = live_top(worker);
	settle(live, task, index, now);
	if (!below->is_waiting)
		return true; /* it was executed where it was created, or the wait is over */
	if (live_action(live, below)->kind == ACTION_BARRIER) {
		if (!release(live, below->team, now))
			seek(live, index);
	} else if (is_satisfied(live, below)) {
		live->strands[below->strand].waiter = RECORDED_NONE;
		live_end_wait(live, index, now);
		return true;
	} else {
		seek(live, index);
	}
	return false;
}
