/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processors that the process may use, as they were when it started: OpenMP may have bound the
 * thread that asks to a single one since.
 */
#ifndef PROCESSORS_H
#define PROCESSORS_H

#include <sched.h>

/* How many; 0: unknown. */
unsigned pomp_processors_count(void);

/* The set, or NULL. */
const cpu_set_t *pomp_processors(void);

#endif
