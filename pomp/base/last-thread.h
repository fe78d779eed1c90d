/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When main ends with pthread_exit(), the process continues until its last thread ends, and that
 * thread runs exit(). The C library also counts our threads: one that stays keeps the process
 * alive, and if the last one ends during that exit(), the process ends immediately.
 */
#ifndef LAST_THREAD_H
#define LAST_THREAD_H

#include <stdbool.h>
#include <stdint.h>

/* What the kernel says of this process: /proc/self/stat in proc(5). */
struct pomp_own_stat {
	char state; /* of the initial thread; 'Z': it has ended */
	long threads;
	uint64_t start; /* ticks after the machine's */
};

/* Returns false if it is not known. */
bool pomp_own_stat(struct pomp_own_stat *stat);

/* Returns whether all threads except the calling one have ended; false if that is unknown. */
bool pomp_thread_is_last(void);

/*
 * Called while the process exits: starts a thread that lasts until the end, so that other threads
 * may start and end. Returns whether there is such a thread.
 */
bool pomp_thread_holds_exit(void);

#endif
