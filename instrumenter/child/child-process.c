/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs other programs. There are no signal handlers: the signals stay blocked and sigwaitinfo()
 * takes them, so that the reaction to a signal is ordinary code without a global variable. Children
 * start with the signal mask with which this process was started.
 */
#include "child-process.h"
#include "word-list.h"
#include "shared/debug-log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { NOT_STARTED = 127 };

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGPIPE};

void process_watch_open(struct process_watch *watch)
{
	watch->interrupted = watch->passed_on = 0;
	/* A parent can pass on an ignored SIGCHLD, with which waitpid() would fail. */
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&watch->waited);
	sigaddset(&watch->waited, SIGCHLD);
	for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++) {
		struct sigaction action;
		/* Signals that the user ignores (nohup) stay ignored. */
		if (sigaction(ending_signals[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			sigaddset(&watch->waited, ending_signals[i]);
	}
	sigprocmask(SIG_BLOCK, &watch->waited, &watch->original);
	sigemptyset(&watch->ignored);
	if (signal(SIGXFSZ, SIG_IGN) == SIG_DFL)
		sigaddset(&watch->ignored, SIGXFSZ);
}

void process_watch_close(struct process_watch *watch)
{
	if (watch->interrupted != 0) {
		signal(watch->interrupted, SIG_DFL);
		raise(watch->interrupted);
	}
	sigprocmask(SIG_SETMASK, &watch->original, NULL);
	if (watch->interrupted != 0)
		_exit(128 + watch->interrupted);
}

bool process_wait_status(struct process_watch *watch, pid_t child, int *status)
{
	for (;;) {
		pid_t done = waitpid(child, status, WNOHANG);
		if (done == child)
			return true;
		if (done < 0 && errno != EINTR)
			return false;
		int got = sigwaitinfo(&watch->waited, NULL);
		if (got > 0 && got != SIGCHLD) {
			watch->interrupted = got;
			kill(child, watch->passed_on != 0 ? watch->passed_on : got);
		}
	}
}

int process_wait(struct process_watch *watch, pid_t child)
{
	int status;

	if (!process_wait_status(watch, child, &status))
		return -1;
	if (watch->interrupted != 0) {
		errno = EINTR;
		return -1;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Also checks the parent, which may have ended before prctl() requested the signal. */
bool process_end_with_parent(pid_t parent)
{
	return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}

/* Runs in the child. Returns the errno of the step that failed before or in exec. */
static int become(
    const struct process_watch *watch, const struct process_start *start, pid_t parent)
{
	const int streams[] = {start->streams.input, start->streams.output, start->streams.error};

	if (start->ends_with_parent && !process_end_with_parent(parent))
		return ESRCH;
	/* Fails where no module of the kernel restricts it. */
	if (start->may_be_traced)
		prctl(PR_SET_PTRACER, parent, 0, 0, 0);
	if (start->group != PROCESS_GROUP_OF_PARENT &&
	    setpgid(0, start->group == PROCESS_GROUP_OF_ITS_OWN ? 0 : start->group) != 0)
		return errno;
	for (int i = 0; i < 3; i++)
		if (streams[i] == i ? fcntl(i, F_SETFD, 0) < 0
				    : streams[i] >= 0 && dup2(streams[i], i) < 0)
			return errno;
	for (int i = 1; i < NSIG; i++)
		if (sigismember(&watch->ignored, i) == 1)
			signal(i, SIG_DFL);
	sigprocmask(SIG_SETMASK, &watch->original, NULL);
	execve(start->program, start->arguments,
	    start->environment != NULL ? start->environment : environ);
	return errno;
}

int process_start(
    const struct process_watch *watch, const struct process_start *start, pid_t *child)
{
	const pid_t parent = getpid();
	int ends[2], failed = 0;

	/* The pipe returns the errno if the program cannot be started. */
	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	*child = fork();
	if (*child == 0) {
		failed = become(watch, start, parent);
		while (write(ends[1], &failed, sizeof failed) < 0 && errno == EINTR)
			;
		_exit(NOT_STARTED);
	}
	if (*child < 0)
		failed = errno;
	close(ends[1]);
	while (*child > 0 && read(ends[0], &failed, sizeof failed) < 0 && errno == EINTR)
		;
	close(ends[0]);
	while (*child > 0 && failed != 0 && waitpid(*child, NULL, 0) < 0 && errno == EINTR)
		;
	return failed;
}

void process_log_command(const char *verb, const char *program, char *const *arguments)
{
	enum { PIECE = 400 }; /* the most that one line of the log can contain */
	char *line = DEBUG_LOG_ON(run) && arguments != NULL ? words_command_line(arguments) : NULL;

	if (line == NULL)
		return;
	DEBUG_LOG(run, "%s %s: %.*s", verb, program, PIECE, line);
	for (size_t at = PIECE; at < strlen(line); at += PIECE)
		DEBUG_LOG(run, "... %.*s", PIECE, line + at);
	free(line);
}

static void log_end(const char *program, int code, const struct timespec *begin)
{
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	DEBUG_LOG(run, "%s: %s %d after %.3f s", program, code < 0 ? "failed, errno" : "status",
	    code < 0 ? errno : code,
	    (double)(end.tv_sec - begin->tv_sec) + 1e-9 * (double)(end.tv_nsec - begin->tv_nsec));
}

int process_run(struct process_watch *watch, const char *program, char *const *arguments,
    struct process_streams streams)
{
	const struct process_start start = {
	    .program = program, .arguments = arguments, .streams = streams};
	pid_t child = -1;

	if (arguments == NULL) {
		errno = ENOMEM;
		return -1;
	}
	if (streams.input >= 0 && lseek(streams.input, 0, SEEK_SET) != 0)
		return -1;
	struct timespec begin;
	process_log_command("runs", program, arguments);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	errno = process_start(watch, &start, &child);
	int code = errno != 0 ? -1 : process_wait(watch, child);
	int reason = errno;
	log_end(program, code, &begin);
	errno = reason;
	return code;
}
