/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unless the program may read from the terminal, it has its own process group, so that it and its
 * children are asked to end together. Signals that end ompinst are taken here, as child-process.h
 * describes: the program is ended, and the caller reports what is known so far.
 */
#include "limited-run.h"

#include "descendants.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Between the signal that asks a program to end and the one that forces it. */
enum { GRACE_SECONDS = 3 };

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/*
 * Reaps the child. Processes of its group that it left behind then become children of this process,
 * and must not stay zombies.
 */
static bool take_end(pid_t child, pid_t group, int *status)
{
	pid_t done;

	while ((done = waitpid(group > 0 ? -group : child, status, WNOHANG)) > 0)
		if (done == child)
			return true;
	return done < 0 && errno != EINTR;
}

/*
 * Waits until `end` (0: without limit), or for a signal that ends ompinst. True if the child has
 * ended.
 */
static bool wait_until(
    struct process_watch *watch, pid_t child, pid_t group, double end, int *status)
{
	while (!take_end(child, group, status)) {
		double left = end - now();
		int got;
		if (end > 0 && left <= 0)
			return false;
		if (end > 0) {
			struct timespec time = {
			    (time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
			got = sigtimedwait(&watch->waited, NULL, &time);
		} else {
			got = sigwaitinfo(&watch->waited, NULL);
		}
		if (got > 0 && got != SIGCHLD) {
			watch->interrupted = got;
			return false;
		}
	}
	return true;
}

/* Ends the child, by force if it ignores the request, and everything that it has started. */
static void end_child(struct process_watch *watch, pid_t child, pid_t group, int *status)
{
	const pid_t target = group > 0 ? -group : child;

	kill(target, watch->interrupted != 0 ? watch->interrupted : SIGTERM);
	if (!wait_until(watch, child, group, now() + GRACE_SECONDS, status)) {
		kill(target, SIGKILL);
		while (waitpid(child, status, 0) < 0 && errno == EINTR)
			;
	}
	if (group > 0)
		kill(target, SIGKILL);
	descendants_end(getpgrp());
}

/*
 * A program that may read from the terminal joins the group of the process that the user started.
 */
static pid_t group_to_join(const struct process_start *program)
{
	bool reads_terminal = program->streams.input < 0 && isatty(STDIN_FILENO) != 0;

	return reads_terminal ? getpgid(getppid()) : PROCESS_GROUP_OF_ITS_OWN;
}

int process_run_limited(struct process_watch *watch, const struct process_start *program,
    double limit, struct limited_run *run)
{
	struct process_start start = *program;
	start.group = group_to_join(program);
	start.ends_with_parent = true;
	pid_t child = -1;
	int status = 0, failed = process_start(watch, &start, &child);
	pid_t group = start.group == PROCESS_GROUP_OF_ITS_OWN ? child : 0;
	double begin = now();

	if (failed != 0)
		return failed;
	if (wait_until(watch, child, group, limit > 0 ? begin + limit : 0, &status)) {
		run->seconds = now() - begin;
		run->end = WIFSIGNALED(status) ? LIMITED_KILLED : LIMITED_EXITED;
		run->status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
	} else {
		run->end = watch->interrupted != 0 ? LIMITED_INTERRUPTED : LIMITED_TOO_LONG;
		end_child(watch, child, group, &status);
		run->seconds = now() - begin;
	}
	return 0;
}
