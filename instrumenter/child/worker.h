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
 * Opens the watch, does the work in the second process, and closes the watch here; `work` closes it
 * there. `program`: what the work runs, for messages. Returns the result of `work`, between 0 and
 * 255, or -1: then *problem (heap) says why there is none. It is NULL if the user has interrupted
 * the work, and without memory.
 */
int process_worker_run(struct process_watch *watch, process_work *work, void *context,
    const char *program, char **problem);

#endif
