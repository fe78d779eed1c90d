/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends a tree of processes from its root. When a process ends, its children go to the nearest
 * ancestor that adopts children. The tree is therefore gone when the root has ended child after
 * child and has none left. Groups and sessions, which programs change at will, do not matter. /proc
 * lists the children; without /proc nothing is ended here.
 */
#include "descendants.h"

#include "process-stat.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The limit of rounds for a program that starts processes faster than they are ended. */
enum { MOST_ROUNDS = 1000 };

void descendants_adopt(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

struct ending {
	pid_t spared; /* the group */
	bool found;   /* there was a child to end */
};

/* Ends a child of this process. */
static bool end_child(void *context, pid_t process)
{
	struct ending *ending = context;
	struct process_stat stat;

	if (!process_stat_read(process, &stat) || stat.parent != getpid() ||
	    stat.group == ending->spared)
		return true;
	ending->found = true;
	kill(process, SIGKILL);
	while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
		;
	return true;
}

void descendants_end(pid_t spared)
{
	struct ending ending = {spared, true};

	for (unsigned round = 0; round < MOST_ROUNDS && ending.found; round++) {
		ending.found = false;
		processes_visit(end_child, &ending);
	}
}
