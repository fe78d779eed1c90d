/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The second process of `ompinst race run`. The one that the user has started can be killed at any
 * moment, alone or with its process group, and can then end nothing. So it only waits, and passes
 * signals on. The second one, in a group of its own, starts the programs, learns when the first has
 * ended, and ends what it has started. If the second one is killed, the first one does that; if
 * both are, the kernel kills the program that runs.
 */
#ifndef RACE_WORKER_H
#define RACE_WORKER_H

#include "child-process.h"

typedef int race_work(void *context);

/*
 * Does the work in the second process, for which the watch is open as for this one, and stays so
 * here. Returns what `work` has returned, between 0 and 255; or -1: a signal has ended it, *ended
 * is its number; or -2 with errno: the process could not be started.
 */
int race_worker_run(struct process_watch *watch, race_work *work, void *context, int *ended);

#endif
