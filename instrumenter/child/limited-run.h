/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a program once, and ends it if it takes too long. */
#ifndef LIMITED_RUN_H
#define LIMITED_RUN_H

#include "child-process.h"

enum limited_end {
	LIMITED_EXITED,      /* status is the exit status */
	LIMITED_KILLED,      /* status is the signal */
	LIMITED_TOO_LONG,    /* ended at the limit */
	LIMITED_INTERRUPTED, /* ended because a signal interrupted this process */
};

struct limited_run {
	enum limited_end end;
	int status;
	double seconds; /* from exec to the end */
};

/*
 * Runs the program, whose group and ends_with_parent are set here; limit in seconds, 0: none.
 * Returns 0, or the errno with which starting the program failed. If the program is ended here,
 * everything that it started is ended, too.
 */
int process_run_limited(struct process_watch *watch, const struct process_start *program,
    double limit, struct limited_run *run);

#endif
