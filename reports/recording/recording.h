/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a run did, in a form that can be replayed with a change: strands of actions that contain
 * what they wait for instead of how long they waited.
 *
 * A strand is what one implicit or explicit task does: the program's initial thread, each member of
 * each team, each task. Work has a duration. A wait has none; the replay determines it. The part of
 * a wait that was not needed (waking up, handing a lock over) is the action's own cost, which
 * stays.
 *
 * A copy shares the actions of its original until they are changed. All times are ticks.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/loop-schedule.h"

#define RECORDED_NONE UINT32_MAX /* no construct, team, task or strand */

enum action_kind {
	ACTION_WORK,     /* subject: the innermost construct, or RECORDED_NONE */
	ACTION_CREATING, /* the same: work that exists only to create a task */
	ACTION_DELAYED,  /* the same: it had work, and no processor */
	ACTION_ENTER,    /* subject: construct, or RECORDED_NONE for a section of sections */
	ACTION_LEAVE,    /* the same */
	ACTION_CALL,     /* begin of an MPI call; subject: construct */
	ACTION_FORK,     /* subject: team; ends when it is joined */
	/* Of the strand's team; subject: construct; ticks: after the last arrival. */
	ACTION_BARRIER,
	ACTION_LOCK,          /* subject: lock; ticks: after it was both free and wanted */
	ACTION_LOCK_LATE,     /* the same, but another thread held it when it was wanted */
	ACTION_UNLOCK,        /* subject: lock */
	ACTION_CREATE,        /* subject: task, which can be executed from now on */
	ACTION_EXECUTE,       /* subject: task, which this thread executes now */
	ACTION_WAIT_CHILDREN, /* subject: construct; ticks: after the last child completed */
	ACTION_WAIT_ALL,      /* the same for all descendants */
	ACTION_SIGNAL,        /* subject: signal, which is given one more time */
	ACTION_AWAIT,         /* subject: signal; ticks: after it was both given and awaited */
	ACTION_MARK,          /* subject: mark of the loop that is executed; takes no time */
	ACTION_NOTHING,       /* removed by a change */
};

struct action {
	uint64_t ticks;
	uint32_t subject;
	enum action_kind kind : 8;
	bool is_long : 1; /* BARRIER: the wait before the last arrival was longer than long_wait */
};

static inline bool action_is_work(const struct action *action)
{
	return action->kind == ACTION_WORK || action->kind == ACTION_CREATING;
}

struct strand {
	struct action *actions;
	size_t count, room; /* room 0: the original owns the actions */
};

/* One execution of a parallel region. */
struct recorded_team {
	uint32_t construct, size;
	uint32_t parent;     /* strand that forked it, or RECORDED_NONE */
	uint32_t *strands;   /* by member, in the order of threads */
	uint64_t *startup;   /* by member: from the fork to the begin */
	uint64_t join;       /* from the end of the forking thread's member to the join */
	uint32_t master;     /* the member whose thread forked the team */
	bool has_barrier;    /* its members wait for each other before they end */
	bool shares_strands; /* the original owns the two arrays */
};

struct recorded_task {
	uint32_t strand, construct, team;
	uint32_t creator;  /* strand */
	uint32_t after;    /* task that had to complete first, or RECORDED_NONE */
	uint64_t dispatch; /* time from being taken by a thread to the begin */
	bool is_immediate; /* executed where it is created */
};

/* Mean costs of taking the lock, and the construct in which it was taken. */
struct recorded_lock {
	uint64_t free_cost, late_cost; /* when it was free; when another thread held it */
	uint32_t construct;
};

/* The first strand of a process or of a thread outside of teams. */
struct recorded_start {
	uint32_t strand, location;
	uint64_t after; /* time since the first event of the archive */
};

/* A stretch of a loop's iterations (shared/loop-marks.h); times in ns. */
struct recorded_mark {
	uint64_t begin, end, time, grain;
	struct loop_schedule schedule; /* the loop's */
};

struct recording {
	struct strand *strands;
	struct recorded_team *teams;
	struct recorded_task *tasks;
	struct recorded_start *starts;
	struct recorded_lock *locks;
	uint32_t *signals;           /* how many times each must be given */
	struct recorded_mark *marks; /* a copy shares its original's */
	size_t strand_count, team_count, task_count, start_count;
	size_t strand_room, team_room, task_room, start_room;
	size_t mark_count, mark_room; /* mark_room 0: the original owns the marks */
	size_t construct_count, lock_count, signal_count;
	size_t actions; /* of all strands, as recorded */
	uint64_t wall;  /* as recorded */
	/*
	 * A thread may sleep in a long wait at a barrier and then takes longer to go on: the median
	 * cost after a short and after a long wait, and what is long.
	 */
	uint64_t barrier_costs[2], long_wait;
	/* Without a processor, all threads: with work (ACTION_DELAYED), and in waits. */
	uint64_t delayed, wait_delayed;
};

void recording_free(struct recording *recording);

/* The copy is valid as long as the original, which must not change meanwhile. */
struct recording *recording_copy(const struct recording *original);

uint32_t recording_new_strand(struct recording *recording);

/* Appends an action to the strand; work is merged with work before it. */
void strand_add(struct recording *recording, uint32_t strand, enum action_kind kind,
    uint32_t subject, uint64_t ticks);

/* The strand's actions, for changing. */
struct strand *strand_edit(struct recording *recording, uint32_t strand);

/* Replaces the strand's actions and takes ownership of the array, which must come from memory.h. */
void strand_replace(
    struct recording *recording, uint32_t strand, struct action *actions, size_t count);

#endif
