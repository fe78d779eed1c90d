/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that do the same work at the same time, each on a processor of its own. */
#ifndef MACHINE_THREADS_H
#define MACHINE_THREADS_H

#include <sched.h>
#include <stdbool.h>

/* What the thread with that number does. */
typedef void machine_work(void *context, unsigned thread);

/*
 * `prepare`, and then `rounds` times `work`, are called by each of `threads` threads at the same
 * time, on the processors of the set in their order; seconds[round] becomes the elapsed time of the
 * round. Returns false if the threads cannot be started.
 */
bool machine_run_threads(unsigned threads, const cpu_set_t *processors, machine_work *prepare,
    machine_work *work, void *context, unsigned rounds, double *seconds);

#endif
