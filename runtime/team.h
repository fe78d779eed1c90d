/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team: the threads that execute one parallel region together, and what they share.
 *
 * Teams stay hot. A team belongs to the place from which it was forked (a member of the enclosing
 * team, struct rt_member.inner), keeps its worker threads after the region, and serves that place's
 * next region, also with another size: workers beyond the region's size sleep until they are needed.
 * So a program's teams form a tree that mirrors the nesting of its regions; it is freed when the
 * root thread ends.
 */
#ifndef RT_TEAM_H
#define RT_TEAM_H

#include "barrier.h"
#include "deque.h"
#include "task.h"
#include "thread.h"
#include "wait.h"
#include "workshare.h"

typedef void rt_region_fn(void *data);

/* One member; a line of its own, allocated once per number and kept until the team is freed. */
struct rt_member {
	RT_PADDED struct rt_task implicit; /* its implicit task */
	struct rt_team *team;
	struct rt_thread *thread; /* who plays it; number 0: the thread that forked */
	struct rt_team *inner;    /* hot team of regions that it forks, or NULL */
	uint32_t number;
	uint32_t barrier_sense;  /* generations of team->barrier it has passed */
	uint32_t single_turn;    /* `single` constructs met in this region */
	struct rt_loop loop;     /* its part of the current work-sharing construct */
	struct rt_task_icvs own_icvs; /* implicit.icvs points here when places differ by member */
	struct rt_deque deque;   /* ready tasks; the owner pushes, all take */
	RT_PADDED _Atomic uint32_t parked; /* 1: sleeps until a region needs it; see worker_wait() */
};

/* The members by number. Replaced by a larger one when the team grows; old ones live on with it. */
struct rt_roster {
	struct rt_roster *previous;
	uint32_t capacity;
	struct rt_member *members[];
};

struct rt_team {
	/* Written by the forking thread before it publishes `region`, constant in the region. */
	uint32_t size;         /* omp_get_num_threads() */
	uint32_t level;        /* enclosing parallel regions, this one included: omp_get_level() */
	uint32_t active_level; /* those of more than one thread: omp_get_active_level() */
	uint32_t width;        /* most threads that this nest keeps busy at once */
	bool crowded;          /* width exceeds the processors */
	bool reported;         /* thread creation failed once, and that was said */
	rt_region_fn *fn;
	void *data;
	struct rt_task_icvs *icvs;       /* what implicit tasks start with */
	struct rt_task_icvs region_icvs; /* its storage when the region changes them */
	_Atomic(struct rt_roster *) roster;
	uint32_t started; /* members that have a thread, numbers 0 .. started - 1 */
	struct rt_taskgroup *taskgroup;  /* GOMP_parallel_reductions: group of the implicit tasks */

	/* Where the forking thread was, and goes back to. */
	struct rt_team *parent; /* NULL: an initial team */
	struct rt_member *parent_member;
	struct rt_task *parent_task;
	uint32_t parent_number; /* its number there: omp_get_ancestor_thread_num() */

	/* Work-sharing with shared arguments: GOMP_parallel_loop_*, GOMP_parallel_sections. */
	struct rt_loop_args loop_args;
	bool has_loop;

	_Atomic uint32_t cancelled;     /* `cancel parallel` was met in this region */
	RT_PADDED _Atomic uint64_t region; /* low half: regions so far, high half: size of the current */
	struct rt_event event;          /* all waits that execute tasks sleep here */
	RT_PADDED struct rt_barrier barrier; /* explicit and implicit barriers */
	struct rt_barrier join;         /* the region's end */
	RT_PADDED _Atomic uint32_t single_turn; /* `single` constructs begun */
	RT_PADDED _Atomic(void *) copyprivate;
	struct rt_workshare workshares[RT_WORKSHARES];
	struct rt_priority_queue *priorities; /* tasks with a priority; NULL until the first */
};

/* The hot team of the calling thread's place, with room for `size` members; may start threads. */
struct rt_team *rt_team_prepare(struct rt_thread *self, uint32_t size);

/* Initial team of a foreign thread. */
struct rt_team *rt_team_new_initial(struct rt_thread *self);

/* Ends the team's threads and those of the teams below it, and frees them all. */
void rt_team_free(struct rt_team *team);

static inline struct rt_member *rt_team_member(struct rt_team *team, uint32_t number)
{
	return load_relaxed(&team->roster)->members[number];
}

#endif
