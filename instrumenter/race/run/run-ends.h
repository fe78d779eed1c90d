/* SPDX-License-Identifier: BSD-3-Clause */
/* Says how runs of the program ended. */
#ifndef RACE_RUN_ENDS_H
#define RACE_RUN_ENDS_H

#include "arena.h"
#include "run-plan.h"

#include <stddef.h>

/* The runs so far. The first ones are one with each input. */
struct race_run_log {
	struct inst_arena *arena;
	const struct race_options *options;
	const char *program;
	bool memory;
	const char *const *inputs; /* texts; NULL: there is one, which has no name */
	size_t input_count;
	const struct race_run *runs;
	unsigned count;
};

/*
 * Says how the last run ended, where that is not as the first one with the same input did. limit:
 * how many seconds it had. has_cycle: threads of it took locks in a cycle.
 */
void race_say_end(const struct race_run_log *log, double limit, bool has_cycle);

/* Says with which inputs all runs failed in the same way: then little may have been executed. */
void race_say_failures(const struct race_run_log *log);

#endif
