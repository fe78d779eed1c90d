/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that becomes, for a while, the initial thread of a contention group of its own: inside a
 * target region on the host, or as the initial thread of a league's team.
 */
#ifndef RT_CONTEXT_H
#define RT_CONTEXT_H
#include "parallel-region.h"
#include "thread.h"

/* Where the thread was. Belongs to the thread, usually on its stack. */
struct rt_context {
	struct rt_team *team;
	struct rt_member *member;
	struct rt_task *task, *tied;
	uint32_t number, teams_number, teams_count;
};

/*
 * Makes the calling thread number 0 of an initial team of its own, at nesting level 0, with the
 * ICVs that the process started with, except for thread_limit (0: that of the process). False, with
 * nothing changed, if there is no memory.
 */
bool rt_context_enter(struct rt_thread *self, struct rt_context *outer, uint32_t thread_limit);

/* Completes the tasks of the initial team, frees it, and returns the thread to where it was. */
void rt_context_leave(struct rt_thread *self, const struct rt_context *outer);

/* A teams construct. */
struct rt_league {
	rt_region_fn *fn;
	void *data;
	rt_region_fn *code;        /* the program's code that fn calls, NULL: fn is it */
	uint32_t teams, requested; /* number of teams; as requested by the program */
	uint32_t thread_limit;     /* 0: none */
};

/*
 * Executes the teams one after the other, each as an initial task, with the calling task's ICVs.
 * Called after rt_note_call(). False, with nothing done, if there is no memory.
 */
bool rt_league_with_tool(struct rt_thread *self, const struct rt_league *league);

#endif
