/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's environment in a run. */
#ifndef RACE_RUN_ENVIRONMENT_H
#define RACE_RUN_ENVIRONMENT_H

#include "installation.h"
#include "run-plan.h"
#include "word-list.h"

/* The libraries to preload: paths in a form that LD_PRELOAD can contain, or NULL. */
struct race_preload {
	char *agent; /* ompinst-race.so, or for memory errors ompinst-memory.so */
	bool memory; /* of AddressSanitizer and MemorySanitizer, not of ThreadSanitizer */
	char *runtime[RUNTIME_PRELOADS];
};

/* Has the user set OMP_CANCELLATION? Then this value applies to all runs. */
bool race_environment_has_cancellation(void);

/*
 * Fills `environment` with this process's own and the variables for the run. Logs go to `folder`,
 * an absolute path without a comma, a quote or a newline.
 */
void race_environment_make(const struct race_run *run, const struct race_preload *preload,
    const char *folder, struct words *environment);

#endif
