/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All tasks of a process. The runtime has no list of them. Tasks that have begun are on the
 * threads' stacks; all explicit tasks are in blocks of the threads' slabs, where the runtime's own
 * fields distinguish them from free blocks.
 */
#ifndef OMPD_TASK_WALK_H
#define OMPD_TASK_WALK_H

#include "ompd-extensions.h"
#include "stacks.h"

/*
 * Called for each task; the walk continues unless reader->rc is set. `begun` is NULL if the task
 * has not begun or has ended.
 */
typedef void task_visitor(struct reader *reader, void *context, ompd_addr_t task,
    ompdx_task_state_t state, const struct begun_task *begun);

/* `reader` must be a bulk reader. */
void walk_tasks(
    struct reader *reader, const struct stacks *stacks, task_visitor *visit, void *context);

/*
 * Returns how many tasks that it depends on are not completed; 0 for a task without a depend
 * clause.
 */
uint32_t walk_blockers(struct reader *reader, ompd_addr_t task);

#endif
