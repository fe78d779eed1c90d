/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processors that the process may use, as they were when it started: OpenMP may have bound the
 * thread that asks to a single one since.
 */
#ifndef PROCESSORS_H
#define PROCESSORS_H

#include <pthread.h>
#include <sched.h>

/* How many; 0: unknown. */
unsigned pomp_processors_count(void);

/* The set, or NULL. */
const cpu_set_t *pomp_processors(void);

/*
 * pthread_create() of a joinable thread that may use these processors (NULL: the caller's),
 * whatever the caller is bound to. Its record has to outlive this call: it is joined later, or
 * detaches itself later.
 */
int pomp_thread_start(
    pthread_t *thread, const cpu_set_t *processors, void *(*routine)(void *), void *argument);

#endif
