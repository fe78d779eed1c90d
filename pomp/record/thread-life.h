/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads come and go: attached, ended, stopped, forgotten. */
#ifndef THREAD_LIFE_H
#define THREAD_LIFE_H

#include "thread-block.h"

/* Gives the calling thread its block; NULL when memory ran out or the results are written. */
struct pomp_thread *pomp_thread_take_block(void);

/* The same for a thread with a known place among the OpenMP threads: see `place`. */
struct pomp_thread *pomp_thread_take_block_at(uint64_t place);

/* Makes pomp_threads_stop() cheap; called at the start, best while there is only one thread. */
void pomp_threads_prepare_stop(void);

/*
 * Ends all measuring and waits for the events under way; afterwards the caller owns all blocks.
 * Returns how many threads were still inside an event after the longest wait (0 unless one was
 * stopped by force).
 */
unsigned pomp_threads_stop(void);

/* Forgets all threads except the calling one, in the child of a fork. Process lock held. */
void pomp_threads_after_fork(void);

#endif
