/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sums of an analysis at equal steps of time, so that the figures of a part of a large run need
 * not its events: those of the steps in between, added up. At each cut what is open counts as if it
 * ended there. Exact by this are times of regions and what threads do, and calls, but for events at
 * the very moment of a cut; what is known only later counts in the step where it becomes known:
 * imbalance, starting and ending teams, locks, and creating tasks. What a task did before another
 * thread went on with it is that thread's in the end: of such tasks only the sums over threads are
 * exact. Of chosen threads imbalance, locks and creating tasks are not known. Calls of MPI are not
 * kept.
 *
 * The steps are as many as have room, at least CUTS_LEAST: two become one when there are more
 * entries than the limit.
 */
#ifndef CUTS_H
#define CUTS_H

#include "analysis.h"
#include "bytes.h"

enum {
	CUTS_LEAST = 16,
	CUT_VALUES = 10, /* of an entry: at most */
	CUT_OPEN = 9,    /* the place of one that is not a sum, but as of the step's end */
};

/* What an entry's values are of; they stand in the order of the functions that collect them. */
enum cut_kind {
	CUT_VISITED,   /* a thread and a construct */
	CUT_THREAD,    /* a thread */
	CUT_CONSTRUCT, /* a construct, all threads */
	CUT_LOCK,
	CUT_PROCESS,
	CUT_ALL,
	CUT_KINDS
};

/* What was added in a step. */
struct cut_entry {
	uint32_t step;
	enum cut_kind kind;
	uint32_t first, second;      /* thread; construct, for instance */
	uint64_t values[CUT_VALUES]; /* modulo 2^64: some are less than none */
};

struct cut_row; /* the sums at the last cut */

struct cuts {
	uint64_t start, length, ticks; /* of a step; the first one begins at start, ticks */
	uint64_t next;                 /* when the step at hand ends */
	uint32_t step;
	struct cut_entry *entries; /* by step */
	size_t count, room, max;
	bool full;                /* there were too many even for CUTS_LEAST steps: none are kept */
	struct cut_row **visited; /* by thread, as its visited */
	size_t *visited_room;
	struct cut_row *rows[CUT_KINDS];
	size_t row_room[CUT_KINDS];
};

/* For the pass; of up to `steps` steps and `max` entries. */
struct cuts *cuts_new(
    const struct analysis *analysis, uint64_t start, uint64_t length, size_t steps, size_t max);
void cuts_free(struct cuts *cuts, size_t threads);

/* Before an event of that time is consumed; at the end, when all frames are closed. */
void cuts_until(struct analysis *analysis, uint64_t time);
void cuts_finish(struct analysis *analysis);

/*
 * Writes what cuts_sum() needs of the analysis to the bytes, or reads it from there into an
 * analysis that has its archive and is all zero otherwise. False: the bytes do not hold it.
 */
bool cuts_pass(struct bytes *bytes, struct analysis *analysis);

/*
 * The analysis of the steps from `first` to before `last` of an analysis that has its cuts;
 * `choice` as for analysis_run(), without times, path and record. Freed by analysis_free().
 */
struct analysis *cuts_sum(const struct analysis *whole, uint32_t first, uint32_t last,
    const struct analysis_choice *choice);

#endif
