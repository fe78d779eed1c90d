/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the program once, and ends it if it takes too long. */
#ifndef RACE_EXECUTION_H
#define RACE_EXECUTION_H

#include "child-process.h"
#include "run-plan.h"

struct race_execution {
	struct process_start start; /* without group and ends_with_parent */
	double limit;               /* seconds for this run; 0: none */
	double total;               /* remaining seconds for all runs; 0: no limit */
};

/*
 * Fills end, status and seconds of the run. Returns 0, or the errno with which starting the program
 * failed. If the program is ended here, everything that it started is ended, too.
 */
int race_execute(
    struct process_watch *watch, const struct race_execution *execution, struct race_run *run);

#endif
