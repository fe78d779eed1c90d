/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment that the program has in a run. */
#ifndef RACE_ENVIRONMENT_H
#define RACE_ENVIRONMENT_H

#include "installation.h"
#include "run-plan.h"
#include "words.h"

/* What is preloaded: paths as LD_PRELOAD can hold them, or NULL. */
struct race_preload {
	char *agent; /* ompinst-race.so */
	char *runtime[RUNTIME_PRELOADS];
};

/* Has the user set OMP_CANCELLATION? Then that holds in all runs. */
bool race_environment_has_cancellation(void);

/*
 * Fills `environment` with this process' own and what the run needs. Logs go to `folder`, an
 * absolute path without a comma, a quote or a newline.
 */
void race_environment_make(const struct race_run *run, const struct race_preload *preload,
    const char *folder, struct words *environment);

#endif
