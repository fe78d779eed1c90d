/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of each run of the program, and the results. */
#ifndef RACE_RUN_PLAN_H
#define RACE_RUN_PLAN_H

#include "race-options.h"

#include <stdbool.h>

enum race_end {
	RACE_NOT_RUN,
	RACE_EXITED,      /* status is the exit status */
	RACE_KILLED,      /* status is the signal */
	RACE_HUNG,        /* took longer than a run may */
	RACE_DEADLOCKED,  /* a process was ended because its threads waited for each other */
	RACE_OUT_OF_TIME, /* ended because the time for all runs was used up */
	RACE_INTERRUPTED, /* ended because ompinst was interrupted */
};

struct race_run {
	unsigned input; /* with which of several inputs, from 0; not the plan's */
	unsigned threads;
	const char *schedule; /* OMP_SCHEDULE, or NULL: the user's own */
	unsigned chunk;       /* of loops without a schedule clause; 0: one part for each thread */
	unsigned seed;
	bool strands; /* tasks are concurrent by OpenMP's rules, whichever thread executes them */
	bool again;   /* also reports further races at the same address: slower */
	bool asks;    /* each process says whether ThreadSanitizer is in it */
	bool
	    asks_it; /* and ThreadSanitizer itself says so, too, which takes time; not the plan's */
	bool cancellation; /* OMP_CANCELLATION=true; else the user's value */
	enum race_end end;
	int status;
	double seconds;
};

/* The number of runs. */
unsigned race_plan_count(const struct race_options *options);

/*
 * The number of additional runs for comparing results: one with the first run's settings, and two
 * with one thread. They come after the others.
 */
enum { RACE_MORE_RUNS = 3 };

/* The settings of the run with that index, from 0. */
struct race_run race_plan_run(const struct race_options *options, unsigned index);

#endif
