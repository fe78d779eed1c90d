/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processors that the process could use when it started: OpenMP may since have bound the
 * calling thread to a single one.
 */
#ifndef USABLE_PROCESSORS_H
#define USABLE_PROCESSORS_H

#include <pthread.h>
#include <sched.h>

/* Returns the number of processors; 0: unknown. */
unsigned pomp_processors_count(void);

/* Returns the set, or NULL. */
const cpu_set_t *pomp_processors(void);

/*
 * Like pthread_create(), for a joinable thread that may use these processors (NULL: the caller's),
 * whatever the caller is bound to. *thread must outlive this call: the thread is joined later, or
 * detaches itself later.
 */
int pomp_thread_start(
    pthread_t *thread, const cpu_set_t *processors, void *(*routine)(void *), void *argument);

#endif
