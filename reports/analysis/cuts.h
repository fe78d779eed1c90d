/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sums of an analysis at equal steps of time. They give the figures of a part of a large run
 * without its events: the sums of the steps in that part are added up. At each cut, open frames
 * count as if they ended there. Times of regions, activities of threads, and calls are therefore
 * exact, except for events at the very moment of a cut. What becomes known only later counts in the
 * step in which it becomes known: imbalance, starting and ending teams, locks, and creating tasks.
 * If another thread continues a task, that thread finally gets all the task did; for such tasks
 * only the sums over all threads are exact. For chosen threads, imbalance, locks and the creation
 * of tasks are not known. Calls of MPI are not kept.
 *
 * There are as many steps as fit, but at least CUTS_LEAST: whenever there are more entries than the
 * limit, each pair of steps is merged into one. Samples have a limit of their own, and longer steps
 * if they exceed it.
 */
#ifndef CUTS_H
#define CUTS_H

#include "analysis.h"
#include "bytes.h"

enum {
	CUTS_LEAST = 16,
	CUT_VALUES = 15, /* at most, in one entry */
	CUT_OPEN = 13,   /* the place of the value that is no sum but the state at the step's end */
};

/* What an entry describes, in the order of the functions that collect the values. */
enum cut_kind {
	CUT_VISITED,   /* a thread and a construct */
	CUT_THREAD,    /* a thread */
	CUT_CONSTRUCT, /* a construct, all threads */
	CUT_LOCK,
	CUT_PROCESS,
	CUT_ALL,
	CUT_KINDS
};

/* What one step added. */
struct cut_entry {
	uint32_t step;
	enum cut_kind kind;
	uint32_t first, second;      /* for instance thread and construct */
	uint64_t values[CUT_VALUES]; /* modulo 2^64: some are negative */
};

struct cut_row; /* the sums at the last cut */

/* Samples of a thread at one place in one step of samples. */
struct cut_sample {
	uint32_t step, thread, place;
	uint64_t samples;
};

struct cut_samples {
	struct cut_sample *entries;  /* by step */
	size_t count, room, max;     /* max 0: none are kept */
	uint32_t steps;              /* of the other sums, in one step of samples */
	struct code_samples *places; /* their counts are of no meaning */
	size_t place_count, place_room;
	struct pair_map place_of;
	struct pair_map now; /* of the current step: (thread, place) to index */
};

struct cuts {
	uint64_t start, length, ticks; /* the first step begins at start; ticks: length of a step */
	uint64_t next;                 /* end of the current step */
	uint32_t step;
	struct cut_entry *entries; /* by step */
	size_t count, room, max;
	bool full;                /* too many entries even with CUTS_LEAST steps: none are kept */
	struct cut_row **visited; /* by thread, parallel to its `visited` */
	size_t *visited_room;
	struct cut_row *rows[CUT_KINDS];
	size_t row_room[CUT_KINDS];
	struct cut_samples samples;
};

/* For the pass: at most as many steps, entries and samples as the analysis's choice says. */
struct cuts *cuts_new(const struct analysis *analysis, uint64_t start, uint64_t length);
void cuts_free(struct cuts *cuts, size_t threads);

/*
 * cuts_until() is called before an event of that time is consumed, cuts_finish() at the end, when
 * all frames are closed.
 */
void cuts_until(struct analysis *analysis, uint64_t time);
void cuts_finish(struct analysis *analysis);

/* The current step has one more of the thread's samples. */
void cuts_add_sample(struct cuts *cuts, uint32_t thread, const struct code_samples *sample);

/*
 * Writes what cuts_sum() needs of the analysis to the bytes, or reads it from them into an analysis
 * that has its archive and is otherwise all zeros. Returns false if the bytes are not valid.
 */
bool cuts_pass(struct bytes *bytes, struct analysis *analysis);

/*
 * The analysis of the steps from `first` to before `last`, made from an analysis with cuts.
 * `choice` is as for analysis_run(), without times, path and record. Free the result with
 * analysis_free().
 */
struct analysis *cuts_sum(const struct analysis *whole, uint32_t first, uint32_t last,
    const struct analysis_choice *choice);

#endif
