/* SPDX-License-Identifier: BSD-3-Clause */
/* The tasks that threads have begun: the current one of each and those suspended below it. */
#ifndef OMPD_STACKS_H
#define OMPD_STACKS_H

#include "target.h"

struct begun_task {
	ompd_addr_t task, thread; /* records */
	uint32_t above;           /* tasks above it on its thread's stack */
};

/* By the tasks' addresses; in the debugger's memory. */
struct stacks {
	struct begun_task *begun;
	ompd_size_t count, room;
};

/* Threads between two regions have no tasks. To be freed, also after a failure (reader->rc). */
void stacks_read(struct reader *reader, struct stacks *stacks);
void stacks_free(struct stacks *stacks);

/* NULL: no thread has begun it, or it has ended. */
const struct begun_task *stacks_find(const struct stacks *stacks, ompd_addr_t task);

#endif
