/* SPDX-License-Identifier: BSD-3-Clause */
/* A process and those that it has started, with the processor time that they have used. */
#ifndef PROCESS_TIMES_H
#define PROCESS_TIMES_H

#include <stddef.h>
#include <sys/types.h>

enum { PROCESS_TIMES_MOST = 1024 };

struct process_times {
	pid_t processes[PROCESS_TIMES_MOST];        /* the root first */
	double process_seconds[PROCESS_TIMES_MOST]; /* of the processor, by each of them */
	size_t count;                               /* more are not looked at */
	double seconds; /* of the processor, by all of them and by their children that have ended */
	size_t runnable; /* threads that run, or could run if they had a processor */
};

/* Without /proc, or when the root has ended, the count is 0. */
void process_times_read(pid_t root, struct process_times *times);

#endif
