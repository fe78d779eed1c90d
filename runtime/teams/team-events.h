/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of threads, regions and implicit tasks (OMPT), for the paths that have a tool; self is the
 * calling thread.
 */
#ifndef RT_TEAM_EVENTS_H
#define RT_TEAM_EVENTS_H
#include "team.h"

/* An initial thread begins with its initial task, and ends; it is in no region. */
void rt_tool_begin_initial_thread(struct rt_thread *self);
void rt_tool_end_initial_thread(struct rt_thread *self);

/*
 * The thread has entered an initial team, whose task is number `index` of `parallelism` initial
 * tasks; the thread is about to leave it.
 */
void rt_tool_begin_initial_task(struct rt_thread *self, uint32_t parallelism, uint32_t index);
void rt_tool_end_initial_task(struct rt_thread *self, uint32_t index);

/*
 * The thread is about to begin a region with the team, which is set up except for its members: the
 * task that encountered the construct is still the current one. flags: of ompt_parallel_flag_t.
 */
void rt_tool_begin_region(
    struct rt_thread *self, struct rt_team *team, rt_region_fn *fn, uint32_t requested, int flags);
/* The thread is back in the task that encountered the construct. */
void rt_tool_end_region(struct rt_thread *self, struct rt_team *team);

/* A member has entered the team's region, and leaves it after its last barrier. */
void rt_tool_begin_implicit_task(struct rt_thread *self);
void rt_tool_end_implicit_task(struct rt_thread *self);

/* Executes the code of a region as that of the current task. */
void rt_tool_call_region(struct rt_thread *self, rt_region_fn *fn, void *data);

/* The four events of a barrier; the thread waits between the first two and the last two. */
struct rt_barrier_events {
	ompt_sync_region_t kind;
	uint32_t outer_state;
	const void *codeptr;
};

/* codeptr: where the program called it. */
struct rt_barrier_events rt_tool_begin_barrier(
    struct rt_thread *self, ompt_sync_region_t kind, const void *codeptr);
void rt_tool_end_barrier(struct rt_thread *self, const struct rt_barrier_events *events);

#endif
