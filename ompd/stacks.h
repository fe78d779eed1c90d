/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tasks that threads have begun: each thread's current task and those suspended below it. A
 * thread that ended within a region (pthread_exit) is still in the runtime's list, with its tasks;
 * only the debugger knows that it has ended.
 */
#ifndef OMPD_STACKS_H
#define OMPD_STACKS_H

#include "memory-list.h"

struct begun_task {
	ompd_addr_t task, thread; /* records */
	ompd_addr_t over; /* the task for which it was suspended; 0: it is the current one */
	uint32_t above;   /* tasks above it on its thread's stack */
	bool has_ended;   /* its thread has ended */
};

struct known_thread {
	uint64_t number;     /* the kernel's */
	ompd_addr_t thread;  /* its record */
	ompd_addr_t current; /* its current task; 0: it is between two regions */
	bool has_ended;
};

/*
 * Arrays of struct begun_task, ordered by the tasks' addresses, and of struct known_thread, by
 * number.
 */
struct stacks {
	struct memory_list list, threads;
};

/* Threads between two regions have no tasks. Must be freed, even after a failure (reader->rc). */
void stacks_read(struct reader *reader, struct stacks *stacks);
void stacks_free(struct stacks *stacks);

ompd_size_t stacks_count(const struct stacks *stacks);
const struct begun_task *stacks_at(const struct stacks *stacks, ompd_size_t index);

/* Returns NULL if no thread has begun the task, or if it has ended. */
const struct begun_task *stacks_find(const struct stacks *stacks, ompd_addr_t task);

/* Returns the thread with this number; NULL: the runtime does not know it. */
const struct known_thread *stacks_thread(const struct stacks *stacks, uint64_t number);

/*
 * Returns whether the debugger reports that there is no thread with the kernel's number, or no
 * longer; false also if it cannot tell.
 */
bool thread_has_ended(struct reader *reader, uint64_t number);

#endif
