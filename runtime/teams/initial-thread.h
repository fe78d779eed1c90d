/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calling thread, as the entry points see it. A thread that the runtime did not make becomes an
 * initial thread when it first calls in: it gets a team of its own with one member at level 0, an
 * initial task with the process's ICVs, and keeps them until it ends.
 */
#ifndef RT_INITIAL_THREAD_H
#define RT_INITIAL_THREAD_H
#include "thread.h"

/* Makes the calling foreign thread an initial thread; NULL: no memory. */
struct rt_thread *rt_thread_try_adopt(void);

/* The same if a record is needed; ends the process if there is no memory. */
struct rt_thread *rt_thread_adopt(void);

/*
 * The process ends, and a tool is attached: emits the ends of the calling thread and of the workers
 * that wait for its next region, which then continue to sleep. Does nothing within a region.
 */
void rt_thread_emit_ends(struct rt_thread *self);

/*
 * Ends the calling thread's workers (omp_pause_resource); they are started again when needed.
 * stop_tool: also ends the tool, for the whole process. False: not possible, because the thread is
 * in a parallel region.
 */
bool rt_thread_pause(bool stop_tool);

/*
 * For a tool that finalizes itself, perhaps within a callback: ends the threads that the runtime
 * made for the calling one, and its initial task, so that the tool sees their ends. Does nothing
 * where that is not possible: within a region, an explicit task or a target construct, at a
 * region's begin, and in a thread that the runtime made.
 */
void rt_thread_end_events(void);

/* In a forked child: the calling thread is the only one. */
void rt_thread_after_fork(void);

/* The calling thread, never NULL. */
static inline struct rt_thread *rt_self(void)
{
	struct rt_thread *self = rt_current;
	return likely(self != NULL) ? self : rt_thread_adopt();
}

/* The calling task's ICVs, for reading. */
const struct rt_task_icvs *rt_icvs(void);

/* The same for writing: copied first if tasks that it generated still share them. */
struct rt_task_icvs *rt_icvs_write(void);

/*
 * Makes the calling task and all that it generates a contention group of their own, with
 * `thread_limit` threads. If there is no memory for that, the enclosing group counts them.
 */
void rt_icvs_begin_group(uint32_t thread_limit);

#endif
