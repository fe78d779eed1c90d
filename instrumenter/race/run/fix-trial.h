/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the program with the changes that fix its races, and runs it. */
#ifndef RACE_FIX_TRIAL_H
#define RACE_FIX_TRIAL_H

#include "kept-input.h"
#include "deadlocks.h"
#include "race-fixes.h"

struct fix_trial {
	struct race_fixes *fixes;
	struct process_watch *watch;
	const struct words *program; /* the user's program and its arguments */
	const struct race_input *input;
	const struct race_findings
	    *findings; /* of the program; those that do not count are no reason */
	const struct race_deadlocks *deadlocks; /* of the program: no reason either */
	size_t races;                           /* how many of them count */
	size_t left;                            /* how many the program has that was tried last */
	double seconds;                         /* of its first run */
	struct scratch scratch;
	const char *serial; /* what it prints with one thread; the arena's */
	int serial_status;
	struct inst_arena *arena;
};

/*
 * Tries the remedies that are offered, and offers those no longer with which the program does not
 * compile, a race stays, a new one appears, or the results are not those of one thread; says so on
 * standard error.
 */
void race_fixes_verify(struct fix_trial *trial);

#endif
