/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the replay share: threads, teams, tasks and locks while the replay runs. */
#ifndef REPLAY_STATE_H
#define REPLAY_STATE_H

#include "replay.h"
#include "time-heap.h"

/* A strand on a thread's stack, and its progress. */
struct level {
	uint32_t strand, team, task; /* team, task: or RECORDED_NONE */
	size_t next;                 /* the next action, or the one in which it waits */
	bool is_waiting;
	uint64_t since; /* when the wait began */
};

struct worker {
	uint64_t time;
	struct level *levels; /* the last one is being executed */
	size_t depth, room;
	uint32_t following; /* next worker in a queue, or RECORDED_NONE */
};

struct live_team {
	uint32_t *workers; /* by member */
	uint32_t arrived, ended, open_tasks;
	uint64_t last_end;
	uint32_t joiner; /* worker that waits for the others to end, or RECORDED_NONE */
	/* Tasks that can be executed, oldest first, and workers without a task. */
	uint32_t *ready, *idle;
	size_t ready_first, ready_count, ready_room, idle_count, idle_room;
};

struct live_lock {
	bool is_held;
	uint32_t first, last; /* queue of workers that wait for it */
};

/* A strand, for the workers that wait for its tasks. */
struct live_strand {
	uint32_t children, descendants; /* not completed yet */
	uint32_t task;                  /* the task that the strand is, or RECORDED_NONE */
	uint32_t waiter;                /* worker that waits in the strand, or RECORDED_NONE */
};

struct live_task {
	bool is_created, is_completed;
	/* Tasks that wait for it; the next of its own siblings. */
	uint32_t first_successor, next_successor;
};

struct live_signal {
	uint32_t missing; /* how many times it must still be given */
	uint32_t waiter;  /* first waiting worker, or RECORDED_NONE */
};

struct live {
	const struct recording *recording;
	struct replay *replay;
	struct worker *workers;
	size_t worker_count, worker_room;
	uint32_t *free_workers;
	size_t free_count, free_room;
	struct time_head *heap; /* workers that can continue, the earliest first */
	size_t heap_count, heap_room;
	struct live_team *teams;
	struct live_lock *locks;
	struct live_strand *strands;
	struct live_task *tasks;
	struct live_signal *signals;
	size_t running; /* first strands that have not ended */
};

static inline struct level *live_top(struct worker *worker)
{
	return &worker->levels[worker->depth - 1];
}

static inline const struct action *live_action(const struct live *live, const struct level *level)
{
	return &live->recording->strands[level->strand].actions[level->next];
}

/* The row that counts the thread time of a construct. */
static inline size_t live_row(const struct live *live, uint32_t construct)
{
	size_t none = live->recording->construct_count;

	return construct < none ? construct : none;
}

/* Makes the worker continue at its time. */
void live_go_on(struct live *live, uint32_t worker);

/* Takes the worker with the least time of those that can continue; there must be one. */
uint32_t live_take_earliest(struct live *live);

/* Pushes a new strand onto the worker's stack. */
void live_push(struct live *live, uint32_t worker, uint32_t strand, uint32_t team, uint32_t task);

uint32_t live_new_worker(struct live *live, uint64_t time);
void live_end_worker(struct live *live, uint32_t worker);

/* Ends the worker's wait at that time; it continues after the action's own cost. */
void live_end_wait(struct live *live, uint32_t worker, uint64_t now);

/* Teams. Both return whether the worker can continue now. */
bool live_fork(struct live *live, uint32_t worker, uint32_t team);
bool live_end_member(struct live *live, uint32_t worker);

/* Barriers and tasks. */
bool live_arrive(struct live *live, uint32_t worker);
void live_create(struct live *live, uint32_t worker, uint32_t task);
/* The worker begins to wait for tasks; returns whether it can continue now. */
bool live_wait_tasks(struct live *live, uint32_t worker);
bool live_complete(struct live *live, uint32_t worker);
void live_start_tasks(struct live *live);

#endif
