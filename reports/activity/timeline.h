/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each thread does over time, in bins of equal length: bounded in size whatever the trace
 * holds. A bin knows how much of it went to each activity and which construct took the most of it.
 * Where there is room for it, the stretches that the bins are made of are kept too.
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
	ACTIVITY_MPI, /* in a function of MPI, which would be serial, work or task otherwise */
	ACTIVITIES
};

struct timeline_bin {
	float ticks[ACTIVITIES];
	/* Majority vote over time: exact when one construct takes more than half of the bin. */
	uint32_t construct;
	float lead;
};

/* What one thread did without a change. */
struct timeline_stretch {
	uint64_t from, to;
	uint32_t thread, construct;
	enum activity activity;
};

/* How large a timeline is to be; bins 0: there is to be none. */
struct timeline_shape {
	size_t bins;
	size_t stretches_max; /* of more none are kept */
	size_t arrows_max;    /* the same of messages, which the account of MPI keeps */
	/*
	 * Threads share rows: row i holds those from row_begins[i] up to the next, of `rows` rows;
	 * 0: each has its own. The caller keeps it until timeline_new() returns.
	 */
	const size_t *row_begins;
	size_t rows;
	/* The part of the clock's span that is drawn, ticks; end 0: all of it. */
	uint64_t begin, end;
};

struct timeline {
	uint64_t start, length; /* ticks; length: at least 1 */
	double bin_ticks;       /* of a bin: of a coarse clock it may be less than a tick */
	size_t threads, rows, bins;
	struct timeline_bin *cells; /* rows x bins */
	size_t *row_begins;         /* rows + 1 */
	uint32_t *row_of;           /* by thread */
	/* By thread and time after timeline_finish(); NULL when none are kept. */
	struct timeline_stretch *stretches;
	size_t stretch_count, stretch_room, stretches_max;
};

struct timeline *timeline_new(
    size_t threads, const struct timeline_shape *shape, uint64_t start, uint64_t length);
void timeline_free(struct timeline *timeline);

/*
 * A part of the timeline, for some threads whose rows no other part has: stretches that are added
 * to it are in the whole one's bins at once, and among those that are kept when it is joined, which
 * frees it.
 */
struct timeline *timeline_new_part(const struct timeline *timeline);
void timeline_join(struct timeline *timeline, struct timeline *part);

/*
 * Adds a stretch of time to a thread's bins; from, to: ticks. Stretches may be added in any order.
 */
void timeline_add(struct timeline *timeline, size_t thread, enum activity activity,
    uint32_t construct, uint64_t from, uint64_t to);

/* Orders the stretches that were kept, after the last one. */
void timeline_finish(struct timeline *timeline);

static inline const struct timeline_bin *timeline_bin(
    const struct timeline *timeline, size_t row, size_t bin)
{
	return &timeline->cells[row * timeline->bins + bin];
}

/* Row i holds the threads from timeline_row_begin(i) up to that of i + 1. */
static inline size_t timeline_row_begin(const struct timeline *timeline, size_t row)
{
	return timeline->row_begins[row];
}

/* The activity that took most of the bin. */
enum activity timeline_main_activity(const struct timeline_bin *bin);

#endif
