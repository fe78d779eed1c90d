/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that becomes, for a while, the initial thread of a contention group of its own: inside a
 * target region on the host, or as the initial thread of a league's team.
 */
#ifndef RT_CONTEXT_H
#define RT_CONTEXT_H
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
 * ICVs that the process started with but for thread_limit (0: that of the process). False, with
 * nothing changed, when there is no memory.
 */
bool rt_context_enter(struct rt_thread *self, struct rt_context *outer, uint32_t thread_limit);

/* Completes the tasks of the initial team, frees it, and brings the thread back to where it was. */
void rt_context_leave(struct rt_thread *self, const struct rt_context *outer);

#endif
