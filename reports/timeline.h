/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each thread does over time, in bins of equal length: bounded in size whatever the trace
 * holds. A bin knows how much of it went to each activity and which construct took the most of it.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include <stddef.h>
#include <stdint.h>

enum activity {
	ACTIVITY_NONE,   /* idle, or nothing known */
	ACTIVITY_SERIAL, /* the initial thread outside parallel regions */
	ACTIVITY_WORK,   /* in a parallel region, outside waits and explicit tasks */
	ACTIVITY_TASK,   /* executing an explicit task */
	ACTIVITY_BARRIER,
	ACTIVITY_LOCK,      /* entering critical or ordered, setting a lock */
	ACTIVITY_TASK_WAIT, /* taskwait, end of taskgroup */
	ACTIVITY_TEAM,      /* fork to begin, end to join */
	ACTIVITIES
};

struct timeline_bin {
	float ticks[ACTIVITIES];
	/* Majority vote over time: exact when one construct takes more than half of the bin. */
	uint32_t construct;
	float lead;
};

struct timeline {
	uint64_t start, bin_ticks;
	size_t bins, threads;
	struct timeline_bin *cells; /* threads x bins */
};

struct timeline *timeline_new(size_t threads, size_t bins, uint64_t start, uint64_t length);
void timeline_free(struct timeline *timeline);

/* Adds a stretch of time to a thread's bins; stretches may come in any order. */
void timeline_add(struct timeline *timeline, size_t thread, enum activity activity,
    uint32_t construct, uint64_t from, uint64_t to);

static inline const struct timeline_bin *timeline_bin(
    const struct timeline *timeline, size_t thread, size_t bin)
{
	return &timeline->cells[thread * timeline->bins + bin];
}

/* The activity that took most of the bin. */
enum activity timeline_main_activity(const struct timeline_bin *bin);

#endif
