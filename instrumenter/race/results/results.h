/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a program's results are the same in each run, and what may be responsible if not. */
#ifndef RACE_RESULTS_H
#define RACE_RESULTS_H

#include "code.h"
#include "comparison.h"
#include "race-source.h"
#include "run-plan.h"

enum { RACE_MOST_RESPONSIBLE = 12 };

/* Between which runs there are differences. */
enum race_variation {
	RACE_VARIES_ALONE = 1 << 0,      /* with one thread */
	RACE_VARIES_REPEATED = 1 << 1,   /* with the same settings */
	RACE_VARIES_BY_ORDER = 1 << 2,   /* with the same number of threads */
	RACE_VARIES_BY_THREADS = 1 << 3, /* with different numbers of threads only */
};

struct race_results {
	bool is_wanted;
	unsigned variations;               /* 0: all are equal */
	unsigned left, right;              /* the first two runs that differ, from 0 */
	bool by_status;                    /* in their exit status ... */
	struct race_difference difference; /* ... else here */
	const char *responsible[RACE_MOST_RESPONSIBLE];
	unsigned responsible_count;
};

/* Compares the outputs (NULL: missing) of the runs, each with those before. */
void race_results_compare(struct inst_arena *arena, const struct race_run *runs,
    const char *const *outputs, unsigned count, struct race_results *results);

/*
 * Names what may be responsible: the races, or what the source files of the program have in which
 * the order decides. race_count: of the races found.
 */
void race_results_explain(struct race_sources *sources, struct race_code *code, const char *program,
    size_t race_count, struct race_results *results);

#endif
