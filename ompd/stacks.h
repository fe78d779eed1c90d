/* SPDX-License-Identifier: BSD-3-Clause */
/* The tasks that threads have begun: the current one of each and those suspended below it. */
#ifndef OMPD_STACKS_H
#define OMPD_STACKS_H

#include "memory-list.h"

struct begun_task {
	ompd_addr_t task, thread; /* records */
	ompd_addr_t over; /* the task for which it was suspended, 0: it is the current one */
	uint32_t above;   /* tasks above it on its thread's stack */
};

/* By the tasks' addresses: an array of struct begun_task. */
struct stacks {
	struct memory_list list;
};

/* Threads between two regions have no tasks. To be freed, also after a failure (reader->rc). */
void stacks_read(struct reader *reader, struct stacks *stacks);
void stacks_free(struct stacks *stacks);

ompd_size_t stacks_count(const struct stacks *stacks);
const struct begun_task *stacks_at(const struct stacks *stacks, ompd_size_t index);

/* NULL: no thread has begun it, or it has ended. */
const struct begun_task *stacks_find(const struct stacks *stacks, ompd_addr_t task);

#endif
