/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences among the children of one task (OpenMP 5.1, 2.19.11). `depend` is the compiler's
 * list, see depend-items.h.
 */
#ifndef RT_DEPEND_H
#define RT_DEPEND_H

#include "task.h"

/*
 * Enters a new task of the calling thread's task. True: nothing is in its way, the caller queues or
 * executes it. False: the completion of the last task that it depends on queues it.
 */
bool rt_depend_register(struct rt_thread *self, struct rt_task *task, void **depend);

/*
 * Executes other tasks until those that `depend` names are completed (undeferred task, taskwait).
 */
void rt_depend_wait(struct rt_thread *self, void **depend);

/* The task is completed: what depended on it may become ready. */
void rt_depend_complete(struct rt_thread *self, struct rt_task *task);

void rt_depend_table_free(struct rt_depend_table *table);

#endif
