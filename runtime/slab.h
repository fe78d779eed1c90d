/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for tasks: one slab per thread, blocks of one size that hold a task and its arguments.
 *
 * Blocks go back to the slab they came from, whoever frees them, so that a thread that generates
 * tasks for others runs on a constant amount of memory. Memory is unmapped only with the slab: a
 * thief may read the header of a task that is gone (it then finds that it lost the race).
 */
#ifndef RT_SLAB_H
#define RT_SLAB_H

#include <stddef.h>

struct rt_slab;
struct rt_task;

enum { RT_SLAB_ARGUMENT_BYTES = 192 }; /* arguments that fit beside the task */

struct rt_slab *rt_slab_new(void);
void rt_slab_free(struct rt_slab *slab);

/* The owner only. The header's memory is not cleared; NULL: no memory. */
struct rt_task *rt_slab_take(struct rt_slab *slab);

/* Any thread; `own` is the caller's slab or NULL. */
void rt_slab_give(struct rt_slab *own, struct rt_task *task);

/* The same for other things that come and go with tasks, of RT_SLAB_ARGUMENT_BYTES each. */
void *rt_slab_take_bytes(struct rt_slab *slab);
void rt_slab_give_bytes(struct rt_slab *own, void *bytes);

/* Where a task's arguments of up to RT_SLAB_ARGUMENT_BYTES stand. */
void *rt_slab_arguments(struct rt_task *task);

#endif
