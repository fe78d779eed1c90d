/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team of two for harnesses of tasks, constructed in the middle of a region. The begin and end of
 * a region are left out, so that all orders can be tried. Waits sleep at once, without spinning.
 */
#ifndef TASK_PAIR_H
#define TASK_PAIR_H
#include "tasks.h"
#include "team.h"

/* The team. run() calls pair_begin() first; it becomes member 0, whose record is returned. */
struct rt_thread *pair_begin(void);
extern struct rt_team pair_team;

/* The calling thread becomes member 1, or a thread outside the pair with its own team. */
struct rt_thread *pair_enter(void);
struct rt_thread *pair_enter_outside(void);

/* The same for a team of three and its member 2. */
struct rt_thread *pair_begin_with_third(void);
struct rt_thread *pair_enter_third(void);

/* The record of member 1, for actions of run() on its behalf before it starts. */
struct rt_thread *pair_other(void);

/* Generates a child of the thread's current task; `fn` gets the address of a copy of `argument`. */
void pair_generate(struct rt_thread *self, rt_task_fn *fn, void *argument, void **depend);
void pair_generate_untied(struct rt_thread *self, rt_task_fn *fn);

/*
 * Takes the newest task of the thread's deque, which contains no other, to give it to a thread that
 * is started for it, as if that thread had stolen it. No thread searches for tasks until the next
 * is generated.
 */
struct rt_task *pair_take(struct rt_thread *self);

/* The body of a thread: executes the task as member 1. */
void pair_execute(void *task);

/* Takes all free blocks of the thread's slab, so that the next blocks are those that are freed. */
void pair_use_up_blocks(struct rt_thread *self);

#endif
