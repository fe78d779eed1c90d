/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The replay's clock: the thread with the least simulated time always takes the next step, so that
 * interactions between threads happen in the order of simulated time.
 */
#include "replay.h"

#include <stdlib.h>

#include "memory.h"
#include "replay-state.h"

/* The cost of taking the lock now, which depends on whether another thread holds it. */
static uint64_t lock_cost(const struct live *live, const struct action *action, bool is_late)
{
	const struct recorded_lock *lock = &live->recording->locks[action->subject];

	if (is_late == (action->kind == ACTION_LOCK_LATE))
		return action->ticks;
	return is_late ? lock->late_cost : lock->free_cost;
}

static void count_lock_wait(struct live *live, const struct level *level, uint64_t time)
{
	const struct action *action = live_action(live, level);
	uint32_t construct = live->recording->locks[action->subject].construct;

	live->replay->waits[live_row(live, construct)] += time - level->since;
}

static bool take_lock(struct live *live, uint32_t index)
{
	struct worker *worker = &live->workers[index];
	struct level *level = live_top(worker);
	const struct action *action = live_action(live, level);
	struct live_lock *lock = &live->locks[action->subject];

	level->since = worker->time;
	if (!lock->is_held) {
		lock->is_held = true;
		worker->time += lock_cost(live, action, false);
		count_lock_wait(live, level, worker->time);
		level->next++;
		return true;
	}
	worker->following = RECORDED_NONE;
	if (lock->first == RECORDED_NONE)
		lock->first = index;
	else
		live->workers[lock->last].following = index;
	lock->last = index;
	return false;
}

static void pass_lock(struct live *live, uint32_t subject, uint64_t now)
{
	struct live_lock *lock = &live->locks[subject];
	struct worker *next;
	struct level *level;
	uint32_t index = lock->first;

	if (index == RECORDED_NONE) {
		lock->is_held = false;
		return;
	}
	next = &live->workers[index];
	level = live_top(next);
	lock->first = next->following;
	next->time = now + lock_cost(live, live_action(live, level), true);
	count_lock_wait(live, level, next->time);
	level->next++;
	live_go_on(live, index);
}

static void give_signal(struct live *live, uint32_t subject, uint64_t now)
{
	struct live_signal *signal = &live->signals[subject];
	uint32_t waiter = signal->waiter;

	if (signal->missing > 0)
		signal->missing--;
	if (signal->missing > 0)
		return;
	signal->waiter = RECORDED_NONE;
	while (waiter != RECORDED_NONE) {
		uint32_t following = live->workers[waiter].following;

		live_end_wait(live, waiter, now);
		live_go_on(live, waiter);
		waiter = following;
	}
}

static bool await_signal(struct live *live, uint32_t index)
{
	struct worker *worker = &live->workers[index];
	struct level *level = live_top(worker);
	struct live_signal *signal = &live->signals[live_action(live, level)->subject];

	level->since = worker->time;
	if (signal->missing == 0) {
		live_end_wait(live, index, worker->time);
		return true;
	}
	worker->following = signal->waiter;
	signal->waiter = index;
	return false;
}

static void execute_here(struct live *live, uint32_t index, uint32_t task)
{
	struct level *level = live_top(&live->workers[index]);
	uint32_t team = level->team;

	level->next++;
	live_push(live, index, live->recording->tasks[task].strand, team, task);
}

/* The strand on top of the worker's stack has ended. */
static bool end_strand(struct live *live, uint32_t index)
{
	struct worker *worker = &live->workers[index];
	struct level *level = live_top(worker);

	if (level->task != RECORDED_NONE)
		return live_complete(live, index);
	if (level->team != RECORDED_NONE)
		return live_end_member(live, index);
	worker->depth--;
	if (worker->time > live->replay->wall)
		live->replay->wall = worker->time;
	live->running--;
	live_end_worker(live, index);
	return false;
}

static void do_work(struct live *live, struct worker *worker, const struct action *action)
{
	worker->time += action->ticks;
	live->replay->work[live_row(live, action->subject)] += action->ticks;
}

static void be_delayed(struct live *live, struct worker *worker, const struct action *action)
{
	worker->time += action->ticks;
	live->replay->waits[live_row(live, action->subject)] += action->ticks;
}

/* Takes one step; returns whether the worker can take its next one now. */
static bool step(struct live *live, uint32_t index)
{
	struct worker *worker = &live->workers[index];
	struct level *level = live_top(worker);
	const struct action *action;

	if (level->next == live->recording->strands[level->strand].count)
		return end_strand(live, index);
	action = live_action(live, level);
	switch (action->kind) {
	case ACTION_WORK:
	case ACTION_CREATING:
		do_work(live, worker, action);
		break;
	case ACTION_DELAYED:
		be_delayed(live, worker, action);
		break;
	case ACTION_FORK:
		return live_fork(live, index, action->subject);
	case ACTION_BARRIER:
		return live_arrive(live, index);
	case ACTION_LOCK:
	case ACTION_LOCK_LATE:
		return take_lock(live, index);
	case ACTION_UNLOCK:
		pass_lock(live, action->subject, worker->time);
		break;
	case ACTION_CREATE:
		live_create(live, index, action->subject);
		break;
	case ACTION_EXECUTE:
		execute_here(live, index, action->subject);
		return true;
	case ACTION_WAIT_CHILDREN:
	case ACTION_WAIT_ALL:
		return live_wait_tasks(live, index);
	case ACTION_SIGNAL:
		give_signal(live, action->subject, worker->time);
		break;
	case ACTION_AWAIT:
		return await_signal(live, index);
	default:
		break;
	}
	/* The array of workers may have moved, but not this worker's levels. */
	live_top(&live->workers[index])->next++;
	return true;
}

static void start(struct live *live)
{
	const struct recording *recording = live->recording;

	for (size_t i = 0; i < recording->lock_count; i++)
		live->locks[i].first = RECORDED_NONE;
	for (size_t i = 0; i < recording->signal_count; i++)
		live->signals[i] = (struct live_signal){recording->signals[i], RECORDED_NONE};
	for (size_t i = 0; i < recording->strand_count; i++)
		live->strands[i] =
		    (struct live_strand){.task = RECORDED_NONE, .waiter = RECORDED_NONE};
	live_start_tasks(live);
	for (size_t i = 0; i < recording->start_count; i++) {
		uint32_t worker = live_new_worker(live, recording->starts[i].after);

		live_push(live, worker, recording->starts[i].strand, RECORDED_NONE, RECORDED_NONE);
		live->running++;
		live_go_on(live, worker);
	}
}

static void free_live(struct live *live)
{
	for (size_t i = 0; i < live->worker_count; i++)
		free(live->workers[i].levels);
	for (size_t i = 0; i < live->recording->team_count; i++) {
		free(live->teams[i].workers);
		free(live->teams[i].ready);
		free(live->teams[i].idle);
	}
	free(live->workers);
	free(live->free_workers);
	free(live->heap);
	free(live->teams);
	free(live->locks);
	free(live->strands);
	free(live->tasks);
	free(live->signals);
}

struct replay replay_run(const struct recording *recording)
{
	struct replay replay = {0};
	struct live live = {.recording = recording, .replay = &replay};

	replay.work = memory_new(recording->construct_count + 1, sizeof(replay.work[0]));
	replay.waits = memory_new(recording->construct_count + 1, sizeof(replay.waits[0]));
	live.teams = memory_new(recording->team_count, sizeof(live.teams[0]));
	live.locks = memory_new(recording->lock_count, sizeof(live.locks[0]));
	live.strands = memory_new(recording->strand_count, sizeof(live.strands[0]));
	live.tasks = memory_new(recording->task_count, sizeof(live.tasks[0]));
	live.signals = memory_new(recording->signal_count, sizeof(live.signals[0]));
	start(&live);
	while (live.heap_count > 0) {
		uint32_t worker = live_take_earliest(&live);
		bool goes_on = true;

		while (goes_on &&
		       (live.heap_count == 0 || live.workers[worker].time <= live.heap[0].time))
			goes_on = step(&live, worker);
		if (goes_on)
			live_go_on(&live, worker);
	}
	replay.is_stuck = live.running > 0;
	free_live(&live);
	return replay;
}

void replay_free(struct replay *replay)
{
	free(replay->work);
	free(replay->waits);
}
