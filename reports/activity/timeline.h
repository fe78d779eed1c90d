/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each thread does over time, in bins of equal length, so that the size is bounded for every
 * trace. A bin knows how much of its time went to each activity, and which construct took most of
 * it. If there is room, the stretches in the bins are kept, too.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "shared/precondition.h"

enum activity {
	ACTIVITY_NONE,   /* idle, or nothing known */
	ACTIVITY_SERIAL, /* the initial thread outside parallel regions */
	ACTIVITY_WORK,   /* in a parallel region, outside waits and explicit tasks */
	ACTIVITY_TASK,   /* executing an explicit task */
	ACTIVITY_BARRIER,
	ACTIVITY_LOCK,      /* entering critical or ordered, setting a lock */
	ACTIVITY_TASK_WAIT, /* taskwait, end of taskgroup */
	ACTIVITY_TEAM,      /* fork to begin, end to join */
	ACTIVITY_MPI,       /* in an MPI function; takes precedence over serial, work and task */
	/*
	 * Instead of serial, work and task, where the archive has the kernel's figures: the thread
	 * was ready to work without a processor, or blocked in a system call. When in an interval
	 * between two events that was is not known; it is taken to be at the interval's end.
	 */
	ACTIVITY_DELAYED,
	ACTIVITY_BLOCKED,
	ACTIVITIES
};

struct timeline_bin {
	float ticks[ACTIVITIES];
	/* Majority vote over time: exact when one construct takes more than half of the bin. */
	uint32_t construct;
	float lead;
};

/* A time during which one thread's activity did not change. */
struct timeline_stretch {
	uint64_t from, to;
	uint32_t thread, construct;
	enum activity activity;
};

/* The requested size of a timeline; bins 0: no timeline. */
struct timeline_shape {
	size_t bins;
	size_t stretches_max; /* if there are more, none are kept */
	size_t arrows_max;    /* the same for messages, which the account of MPI keeps */
	/*
	 * Threads share rows: row i of `rows` contains the threads from row_begins[i] up to the
	 * next row's. If rows is 0, each thread has its own row. The caller keeps the array until
	 * timeline_new() returns.
	 */
	const size_t *row_begins;
	size_t rows;
	/* The part of the clock's span to draw, in ticks; end 0: all of it. */
	uint64_t begin, end;
};

struct timeline {
	uint64_t start, length; /* ticks; length: at least 1 */
	double bin_ticks;       /* of a bin; with a coarse clock it may be less than a tick */
	size_t threads, rows, bins;
	struct timeline_bin *cells; /* rows x bins */
	size_t *row_begins;         /* rows + 1 */
	uint32_t *row_of;           /* by thread */
	/* Ordered by thread and time after timeline_finish(); NULL if none are kept. */
	struct timeline_stretch *stretches;
	size_t stretch_count, stretch_room, stretches_max;
};

struct timeline *timeline_new(
    size_t threads, const struct timeline_shape *shape, uint64_t start, uint64_t length);
void timeline_free(struct timeline *timeline);

/*
 * A part of the timeline, for threads whose rows no other part has. Stretches that are added to the
 * part are in the whole timeline's bins at once. timeline_join() adds them to the kept stretches
 * and frees the part.
 */
struct timeline *timeline_new_part(const struct timeline *timeline);
void timeline_join(struct timeline *timeline, struct timeline *part);

/*
 * Adds a stretch from `from` to `to` (ticks) to a thread's bins. Stretches may be added in any
 * order.
 */
void timeline_add(struct timeline *timeline, size_t thread, enum activity activity,
    uint32_t construct, uint64_t from, uint64_t to);

/* Orders the kept stretches; call it after the last one was added. */
void timeline_finish(struct timeline *timeline);

static inline const struct timeline_bin *timeline_bin(
    const struct timeline *timeline, size_t row, size_t bin)
{
	CHECK(row < timeline->rows && bin < timeline->bins, "the timeline has the bin");
	return &timeline->cells[row * timeline->bins + bin];
}

/* Row i contains the threads from timeline_row_begin(i) up to timeline_row_begin(i + 1). */
static inline size_t timeline_row_begin(const struct timeline *timeline, size_t row)
{
	CHECK(row <= timeline->rows, "the timeline has the row");
	return timeline->row_begins[row];
}

/* The activity that took most of the bin. */
enum activity timeline_main_activity(const struct timeline_bin *bin);

/*
 * Adds the bin's shares of `whole` ticks to `shares`, as that many whole parts: each part goes to
 * the activity with the largest remaining share, and what is left of `whole` is ACTIVITY_NONE.
 * Rounding errors are carried to the next bin, so that many bins together have the right shares,
 * even of activities that never fill a part of a bin. `carried`, one for each activity, is 0 before
 * the first bin.
 */
void timeline_apportion(const struct timeline_bin *bin, double whole, int parts,
    double carried[ACTIVITIES], unsigned char shares[ACTIVITIES]);

#endif
