/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares a program's results in all runs, and finds possible causes of differences. */
#ifndef RACE_RESULTS_H
#define RACE_RESULTS_H

#include "code.h"
#include "comparison.h"
#include "race-source.h"
#include "run-plan.h"

enum { RACE_MOST_RESPONSIBLE = 12 };

/* The pairs of runs with different results. */
enum race_variation {
	RACE_VARIES_ALONE = 1 << 0,      /* with one thread */
	RACE_VARIES_REPEATED = 1 << 1,   /* with the same settings */
	RACE_VARIES_BY_ORDER = 1 << 2,   /* with the same number of threads */
	RACE_VARIES_BY_THREADS = 1 << 3, /* only with different numbers of threads */
};

struct race_results {
	bool is_wanted;
	unsigned variations;               /* 0: all are equal */
	unsigned left, right;              /* the first two different runs, from 0 */
	bool by_status;                    /* they differ in their exit status ... */
	struct race_difference difference; /* ... else here */
	const char *responsible[RACE_MOST_RESPONSIBLE];
	unsigned responsible_count;
};

/* Compares the output of each run with those of all previous runs. NULL: a missing output. */
void race_results_compare(struct inst_arena *arena, const struct race_run *runs,
    const char *const *outputs, unsigned count, struct race_results *results);

/*
 * Names possible causes: the races, or code in the program's source files whose result depends on
 * the order. race_count: the number of races found.
 */
void race_results_explain(struct race_sources *sources, struct race_code *code, const char *program,
    size_t race_count, struct race_results *results);

#endif
