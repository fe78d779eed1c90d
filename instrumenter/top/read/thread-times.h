/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel knows of a thread's time, in /proc/PID/task/TID, and of the time. */
#ifndef THREAD_TIMES_H
#define THREAD_TIMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A kernel without schedstat counts only `run`. */
struct thread_times {
	uint64_t run;    /* ns on a processor */
	uint64_t delay;  /* ns in which it could have run and had no processor */
	uint64_t slices; /* how often it got a processor */
};

/* False: there is no such thread, or it cannot be read. */
bool thread_times_read(pid_t process, pid_t thread, struct thread_times *times);

/*
 * When the process started, in clock ticks after the machine: with its number, this identifies it.
 * 0: there is none, or it has ended and its parent has not asked for its status yet.
 */
uint64_t process_start_time(pid_t process);

/* CLOCK_MONOTONIC in ns. */
uint64_t clock_now(void);

#endif
