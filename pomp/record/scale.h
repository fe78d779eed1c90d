/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Delays of POMP_SCALE: at each of its events a thread first spins for (factor - 1) times what it
 * worked since the one before, so that the time lies where the work was, in the program and in its
 * trace. Waits are not delayed: they become what the delays make of them.
 */
#ifndef SCALE_H
#define SCALE_H

#include "thread.h"

/* The factor of what the thread does now, by what is open on its stack and around its team. */
double pomp_scale_factor(const struct pomp_thread *thread);

/* The delay, within an event and before its time is taken. */
void pomp_scale_delay(struct pomp_thread *thread);

#endif
