/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether this process measures: from its first event or its constructor to its end. */
#ifndef MEASUREMENT_H
#define MEASUREMENT_H

#include <stdbool.h>
#include <stdint.h>

struct pomp_thread;

/* Starts measuring unless it is on already. Returns whether the process measures. */
bool pomp_measurement_start(void);

/*
 * Stops all threads, closes what is open and the event logs; later calls do nothing. Returns how
 * many threads were stopped within an event.
 */
unsigned pomp_measurement_stop(void);

/*
 * The calling thread's block, made at its first event, which may be the first of the process; NULL
 * when nothing is measured or memory ran out.
 */
struct pomp_thread *pomp_thread_attach(void);

/* Makes it for a thread at that place among the OpenMP threads: see struct pomp_thread. */
void pomp_thread_attach_at(uint64_t place);

#endif
