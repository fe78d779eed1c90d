/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps a rank's clock to that of the archive. */
#ifndef RANK_CLOCK_H
#define RANK_CLOCK_H

#include "log-reader.h"

/* The clock of the archive's times: that of its first rank. */
struct convert_reference {
	struct trace_log_moment start;
	uint64_t boot, tick_is_nanosecond;
	uint64_t ticks_per_second;
};

/*
 * Straight lines between points; the first and the last line are extended. If points is NULL, the
 * clocks are the same. Shifts are added to that.
 */
struct convert_clock {
	struct trace_log_sync *points;
	size_t count;
	double slope;   /* one point: reference ticks per tick */
	int64_t *shift; /* at the ends of the windows; NULL: none */
	uint32_t windows;
	uint64_t start, window; /* in the reference's ticks */
};

/* Returns the ticks per second of a process's clock, as exactly as its log allows. */
uint64_t convert_ticks_per_second(const struct convert_input *input);

struct convert_reference convert_reference_of(const struct convert_input *input);

/* Returns false when memory ran out. */
bool convert_clock_init(struct convert_clock *clock, const struct convert_input *input,
    const struct convert_reference *reference);
/* From now on times are that much later; copies windows + 1 values. False when memory ran out. */
bool convert_clock_shift(struct convert_clock *clock, const int64_t *shift, uint32_t windows,
    uint64_t start, uint64_t window);
void convert_clock_free(struct convert_clock *clock);

uint64_t convert_clock_time(const struct convert_clock *clock, uint64_t ticks);

/*
 * Returns the first tick, from `low` on, whose time is at least this; `high` if there is none
 * before it.
 */
uint64_t convert_clock_ticks(
    const struct convert_clock *clock, uint64_t time, uint64_t low, uint64_t high);

#endif
