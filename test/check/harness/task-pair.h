/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team of two for harnesses of tasks, made by hand in the middle of a region: what a region's
 * begin and end do is left out, so that orders can be tried to the end. Waits sleep at once.
 */
#ifndef TASK_PAIR_H
#define TASK_PAIR_H
#include "tasks.h"
#include "team.h"

/* The team; run() calls this first and becomes member 0, whose record it returns. */
struct rt_thread *pair_begin(void);
extern struct rt_team pair_team;

/* The calling thread becomes member 1, or a thread with a team of its own, outside of the pair. */
struct rt_thread *pair_enter(void);
struct rt_thread *pair_enter_outside(void);

/* The same for a team of three, and for its member 2. */
struct rt_thread *pair_begin_with_third(void);
struct rt_thread *pair_enter_third(void);

/* The record of member 1, for what run() does in its place before it starts. */
struct rt_thread *pair_other(void);

/* Generates a task of the thread's task; `fn` gets the address of a copy of `argument`. */
void pair_generate(struct rt_thread *self, rt_task_fn *fn, void *argument, void **depend);
void pair_generate_untied(struct rt_thread *self, rt_task_fn *fn);

/*
 * Takes the newest task of the thread's deque, which has no other: to be given to a thread that is
 * started for it, as if that had stolen it. No thread looks for tasks until the next is generated.
 */
struct rt_task *pair_take(struct rt_thread *self);

/* A thread: it executes the task as member 1. */
void pair_execute(void *task);

/* All blocks that the thread's slab has free are taken: the next ones are those that come back. */
void pair_use_up_blocks(struct rt_thread *self);

#endif
