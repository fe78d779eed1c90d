/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The second process of a command that runs programs again and again. The process that the user
 * started can be killed at any moment, alone or with its process group, and can then not end
 * anything. It therefore only waits and passes on signals. The second process, in its own group,
 * starts the programs, learns when the first has ended, and ends everything that it has started. If
 * the second process is killed, the first one does this; if both are killed, the kernel kills the
 * running program.
 */
#ifndef WORKER_H
#define WORKER_H

#include "child-process.h"

typedef int process_work(void *context);

/*
 * Does the work in the second process, where the watch is open; it also stays open in this process.
 * Returns the result of `work`, between 0 and 255; -1 if a signal, *ended, ended the process; or -2
 * with errno if the process could not be started.
 */
int process_worker_run(struct process_watch *watch, process_work *work, void *context, int *ended);

#endif
