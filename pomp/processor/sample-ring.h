/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What counters had counted at each signal of an exact clock, as the kernel writes it into memory
 * that it shares with the process (perf_event_open(2), "MMAP layout"). For a signal handler: it
 * calls nothing.
 */
#ifndef SAMPLE_RING_H
#define SAMPLE_RING_H

#include "shared/sample-counters.h"

#include <stdbool.h>
#include <stdint.h>

/* Sums since the counters began. */
struct pomp_ring_reading {
	uint64_t enabled, running; /* ns: how long they were to count, and did */
	uint64_t value[SAMPLE_COUNTERS_MOST];
};

/*
 * Takes all records out of the ring, and the latest reading of so many counters. Returns how many
 * readings there were, with those for which the ring had no room; if that is not 1, the latest one
 * does not belong to one signal.
 */
uint64_t pomp_ring_take(void *ring, unsigned counters, struct pomp_ring_reading *reading);

/*
 * Gives what was counted since *before, which becomes `now`. False: that is not known, because
 * others had the counters meanwhile. Counters that have begun again have counted from 0.
 */
bool pomp_ring_since(
    struct pomp_ring_reading *before, const struct pomp_ring_reading *now, uint64_t *counts);

#endif
