/* SPDX-License-Identifier: BSD-3-Clause */
/* With which settings the program runs, each time, and what came of it. */
#ifndef RACE_RUN_PLAN_H
#define RACE_RUN_PLAN_H

#include "race-options.h"

#include <stdbool.h>

enum race_end {
	RACE_NOT_RUN,
	RACE_EXITED,      /* status is its exit status */
	RACE_KILLED,      /* status is the signal that ended it */
	RACE_HUNG,        /* it took longer than a run may */
	RACE_OUT_OF_TIME, /* ended because the time for all runs was over */
	RACE_INTERRUPTED, /* ended because ompinst was */
};

struct race_run {
	unsigned threads;
	const char *schedule; /* OMP_SCHEDULE, or NULL: the user's own */
	unsigned seed;
	bool strands; /* tasks are concurrent by OpenMP's rules, whichever thread executes them */
	bool again;   /* further races at an address that had one are reported, too: slower */
	bool cancellation; /* OMP_CANCELLATION=true; else the user's own */
	enum race_end end;
	int status;
	double seconds;
	bool seen; /* ThreadSanitizer was in some process of it */
};

/* How many runs there are to be. */
unsigned race_plan_count(const struct race_options *options);

/*
 * How many more there are when results are compared: one with the settings of the first, and two
 * with one thread. They come behind the others.
 */
enum { RACE_MORE_RUNS = 3 };

/* The settings of a run, from 0. */
struct race_run race_plan_run(const struct race_options *options, unsigned index);

#endif
