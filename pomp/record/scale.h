/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Delays for POMP_SCALE: at each of its events a thread first spins for (factor - 1) times the work
 * since the previous event. The added time thus lies where the work was, in the program and in its
 * trace. Waits are not delayed; they change only as a consequence of the delays.
 */
#ifndef SCALE_H
#define SCALE_H

#include "thread-block.h"

/*
 * Returns the factor for what the thread does now, from what is open on its stack and around its
 * team.
 */
double pomp_scale_factor(const struct pomp_thread *thread);

/* Delays the thread, within an event and before the event's time is taken. */
void pomp_scale_delay(struct pomp_thread *thread);

#endif
