/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the second process, and waits for it in the first one. */
#include "worker.h"

#include "descendants.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs in the second process; does not return. */
static void work_here(struct process_watch *watch, process_work *work, void *context, pid_t starter)
{
	sigset_t more;

	setpgid(0, 0);
	/*
	 * SIGTERM means that the first process has ended. A blocked signal arrives even if it is
	 * ignored. Without SIGTTOU, a process in the background may print its report to any
	 * terminal.
	 */
	sigaddset(&watch->waited, SIGTERM);
	sigemptyset(&more);
	sigaddset(&more, SIGTERM);
	sigaddset(&more, SIGTTOU);
	sigprocmask(SIG_BLOCK, &more, NULL);
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != starter)
		_exit(EXIT_FAILURE);
	descendants_adopt();
	exit(work(context));
}

/*
 * Returns the result of `work`; -1 if a signal, *ended, ended the process; or -2 with errno if the
 * process could not be started.
 */
static int run(struct process_watch *watch, process_work *work, void *context, int *ended)
{
	const pid_t starter = getpid();
	siginfo_t ignored;
	int status = 0;
	/* A shell that became ompinst by exec may have left it unrelated children. */
	bool is_childless =
	    waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;

	fflush(NULL);
	pid_t worker = fork();
	if (worker < 0)
		return -2;
	if (worker == 0)
		work_here(watch, work, context, starter);
	if (is_childless)
		descendants_adopt();
	if (!process_wait_status(watch, worker, &status))
		return -2;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (is_childless)
		descendants_end(0);
	*ended = WTERMSIG(status);
	return -1;
}

int process_worker_run(struct process_watch *watch, process_work *work, void *context,
    const char *program, char **problem)
{
	int ended = 0, length = 0;

	*problem = NULL;
	process_watch_open(watch);
	int result = run(watch, work, context, &ended);
	if (result == -2)
		length =
		    asprintf(problem, "cannot start the process that runs '%s': %s; nothing is run",
			program, strerror(errno));
	else if (result == -1 && watch->interrupted == 0)
		length = asprintf(problem,
		    "the process of ompinst's own that ran '%s' was ended by signal %d (%s): what "
		    "it had found is lost",
		    program, ended, strsignal(ended));
	if (length < 0)
		*problem = NULL;
	process_watch_close(watch);
	return result >= 0 ? result : -1;
}
