/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether this process measures: from its first event, or the constructor, to its end. */
#ifndef MEASUREMENT_H
#define MEASUREMENT_H

#include <stdbool.h>
#include <stdint.h>

struct pomp_thread;

/* Starts measuring unless it is on already. Returns whether the process measures. */
bool pomp_measurement_start(void);

/*
 * Stops all threads, closes whatever is open, and closes the event logs; later calls do nothing.
 * Returns how many threads were stopped inside an event.
 */
unsigned pomp_measurement_stop(void);

/*
 * Returns the calling thread's block and makes it at the thread's first event, which may also be
 * the first event of the process. NULL when nothing is measured or memory ran out.
 */
struct pomp_thread *pomp_thread_attach(void);

/* Makes the block for a thread at this place among the OpenMP threads: see struct pomp_thread. */
void pomp_thread_attach_at(uint64_t place);

#endif
