/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the replay share: threads, teams, tasks and locks while it runs. */
#ifndef REPLAY_STATE_H
#define REPLAY_STATE_H

#include "replay.h"
#include "time-heap.h"

/* A strand on a thread's stack, and how far it is. */
struct level {
	uint32_t strand, team, task; /* team, task: or RECORDED_NONE */
	size_t next;                 /* the action that comes next, or that it waits in */
	bool is_waiting;
	uint64_t since; /* it waits */
};

struct worker {
	uint64_t time;
	struct level *levels; /* the last one is executed */
	size_t depth, room;
	uint32_t following; /* in a queue of workers: worker, or RECORDED_NONE */
};

struct live_team {
	uint32_t *workers; /* by member */
	uint32_t arrived, ended, open_tasks;
	uint64_t last_end;
	uint32_t joiner; /* worker that waits for the others' ends, or RECORDED_NONE */
	/* Tasks that may be executed, the oldest first, and workers that have none. */
	uint32_t *ready, *idle;
	size_t ready_first, ready_count, ready_room, idle_count, idle_room;
};

struct live_lock {
	bool is_held;
	uint32_t first, last; /* workers that wait for it */
};

/* Of a strand, for those that wait for its tasks. */
struct live_strand {
	uint32_t children, descendants; /* that did not complete */
	uint32_t task;                  /* that it is, or RECORDED_NONE */
	uint32_t waiter;                /* worker that waits in it, or RECORDED_NONE */
};

struct live_task {
	bool is_created, is_completed;
	uint32_t first_successor, next_successor; /* tasks that wait for it, and its siblings */
};

struct live_signal {
	uint32_t missing; /* how often it has to be given yet */
	uint32_t waiter;  /* the first one, or RECORDED_NONE */
};

struct live {
	const struct recording *recording;
	struct replay *replay;
	struct worker *workers;
	size_t worker_count, worker_room;
	uint32_t *free_workers;
	size_t free_count, free_room;
	struct time_head *heap; /* workers that can go on, the earliest first */
	size_t heap_count, heap_room;
	struct live_team *teams;
	struct live_lock *locks;
	struct live_strand *strands;
	struct live_task *tasks;
	struct live_signal *signals;
	size_t running; /* first strands that did not end */
};

static inline struct level *live_top(struct worker *worker)
{
	return &worker->levels[worker->depth - 1];
}

static inline const struct action *live_action(const struct live *live, const struct level *level)
{
	return &live->recording->strands[level->strand].actions[level->next];
}

/* Where thread time of a construct is counted. */
static inline size_t live_row(const struct live *live, uint32_t construct)
{
	size_t none = live->recording->construct_count;

	return construct < none ? construct : none;
}

/* The worker goes on at its time. */
void live_go_on(struct live *live, uint32_t worker);

/* The worker that is behind all others that can go on, which there are. */
uint32_t live_take_earliest(struct live *live);

/* A new strand on the worker's stack. */
void live_push(struct live *live, uint32_t worker, uint32_t strand, uint32_t team, uint32_t task);

uint32_t live_new_worker(struct live *live, uint64_t time);
void live_end_worker(struct live *live, uint32_t worker);

/* The worker's wait is over at that time, and it goes on after the action's own cost. */
void live_end_wait(struct live *live, uint32_t worker, uint64_t now);

/* Teams: whether the worker can go on now. */
bool live_fork(struct live *live, uint32_t worker, uint32_t team);
bool live_end_member(struct live *live, uint32_t worker);

/* Barriers and tasks. */
bool live_arrive(struct live *live, uint32_t worker);
void live_create(struct live *live, uint32_t worker, uint32_t task);
/* Whether the worker, which begins to wait for tasks, can go on now. */
bool live_wait_tasks(struct live *live, uint32_t worker);
bool live_complete(struct live *live, uint32_t worker);
void live_start_tasks(struct live *live);

#endif
