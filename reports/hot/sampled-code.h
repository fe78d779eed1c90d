/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where threads spent processor time, by samples: the lines, the functions, or the call paths that
 * they executed. All rows together have each sample once.
 */
#ifndef SAMPLED_CODE_H
#define SAMPLED_CODE_H

#include "analysis.h"

enum hot_kind { HOT_NONE, HOT_LINES, HOT_FUNCTIONS, HOT_PATHS };

/* The archive has the texts; a path belongs to its row. */
struct hot_row {
	const char *function; /* "": unknown */
	const char *file;     /* "": unknown; without a line the module, or the function's file */
	int line;             /* of HOT_LINES; 0: unknown */
	char *path;           /* of HOT_PATHS: "main > solve"; else NULL */
	uint64_t samples;
	uint64_t inclusive; /* of HOT_FUNCTIONS: with those in the functions that it called */
	uint64_t waits;     /* of `samples`: in OpenMP's waits */
	uint64_t faults;    /* of `samples`: they interrupted a page fault */
	uint64_t counted[SAMPLE_COUNTER_COUNT]; /* of the archive's counters, at `samples` */
	/*
	 * The place of most of its samples, or of most of `inclusive` where it has none itself: see
	 * analysis_place_name().
	 */
	uint32_t place;
	uint64_t place_samples;
};

struct hot_code {
	struct hot_row *rows; /* most samples first, then most `inclusive` */
	size_t count, room;
	uint64_t samples; /* of all rows */
	uint64_t waits;   /* of `samples` */
	uint64_t faults;  /* of `samples` */
	uint64_t chosen;  /* in the chosen threads and time, at all places */
	/*
	 * Those without a line, or in functions and paths without a function's name, and the most
	 * frequent context of them.
	 */
	uint64_t unnamed;
	uint32_t unnamed_context;
};

/* Counts the samples of the analysis at places that `takes` accepts; NULL accepts all. */
struct hot_code hot_code_collect(const struct analysis *analysis, enum hot_kind kind,
    analysis_filter *takes, const void *context);
void hot_code_finish(struct hot_code *hot);

/* "solver.c:13 kernel", "kernel (solver.c)", "main > solve > kernel". The caller frees it. */
char *hot_row_name(const struct hot_row *row, enum hot_kind kind);

/*
 * For how many nanoseconds of processor time a sample stands: by the whole run's processor time
 * where it is known, else by the period of the samples. 0: unknown.
 */
double hot_sample_time(const struct analysis *analysis);

#endif
