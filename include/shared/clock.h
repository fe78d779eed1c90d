/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clock of all events: the processor's time stamp counter if it runs at a constant rate and
 * never stops, else CLOCK_MONOTONIC. Events carry ticks. The length of a tick is known at the end,
 * from two moments as far apart as the run allows.
 */
#ifndef SHARED_CLOCK_H
#define SHARED_CLOCK_H

#include "processor.h"
#include "trace-log.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum pomp_timer { POMP_TIMER_AUTO, POMP_TIMER_TSC, POMP_TIMER_MONOTONIC };

struct pomp_clock {
	bool counter; /* ticks come from the processor; written once before the first event */
	struct trace_log_moment start, end;
};

/* Chooses the source and takes the first moment. False if TSC was asked for but is unfit. */
bool pomp_clock_init(struct pomp_clock *clock, enum pomp_timer timer);

/* Returns the current instant on all three clocks. */
struct trace_log_moment pomp_clock_moment(const struct pomp_clock *clock);

/*
 * Returns a number for this boot of the machine, within which the counter is continuous; 0:
 * unknown.
 */
uint64_t pomp_clock_boot(void);

/* Returns the nanoseconds per tick between the clock's two moments; 1 for CLOCK_MONOTONIC. */
double pomp_clock_tick(const struct pomp_clock *clock);

/* The same, measured within some milliseconds, for callers that cannot wait for the end. */
double pomp_clock_measure_tick(const struct pomp_clock *clock);

/* CLOCK_MONOTONIC, in nanoseconds. */
static inline uint64_t pomp_clock_monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns the current time in ticks of the source that pomp_clock_init() chose. */
static inline uint64_t pomp_clock_ticks(const struct pomp_clock *clock)
{
	if (__builtin_expect(clock->counter, 1))
		return counter_read();
	return pomp_clock_monotonic();
}

#endif
