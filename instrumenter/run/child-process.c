/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs other programs. There are no signal handlers: the signals of interest stay blocked and
 * sigwaitinfo() takes them, so that what has to be done on a signal is ordinary code without a
 * global variable. Children start with the signal mask that this process was started with.
 */
#include "child-process.h"
#include "words.h"
#include "shared/debug-log.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGPIPE};

void process_watch_open(struct process_watch *watch)
{
	watch->interrupted = 0;
	/* An ignored SIGCHLD, which a parent can pass on, would make waitpid() fail. */
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&watch->waited);
	sigaddset(&watch->waited, SIGCHLD);
	for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++) {
		struct sigaction action;
		/* Signals that the user has ignored (nohup) stay ignored. */
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

int process_wait(struct process_watch *watch, pid_t child)
{
	int status;

	for (;;) {
		pid_t done = waitpid(child, &status, WNOHANG);
		if (done == child)
			break;
		if (done < 0 && errno != EINTR)
			return -1;
		int got = sigwaitinfo(&watch->waited, NULL);
		if (got > 0 && got != SIGCHLD) {
			watch->interrupted = got;
			kill(child, got);
		}
	}
	if (watch->interrupted != 0) {
		errno = EINTR;
		return -1;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int add_stream(posix_spawn_file_actions_t *actions, int descriptor, int stream)
{
	return descriptor < 0 ? 0 : posix_spawn_file_actions_adddup2(actions, descriptor, stream);
}

int process_start(
    const struct process_watch *watch, const struct process_start *start, pid_t *child)
{
	char *const *environment = start->environment != NULL ? start->environment : environ;
	short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int failed = posix_spawn_file_actions_init(&actions);

	if (failed != 0)
		return failed;
	failed = posix_spawnattr_init(&attributes);
	if (failed != 0) {
		posix_spawn_file_actions_destroy(&actions);
		return failed;
	}
	if (start->is_group)
		flags |= POSIX_SPAWN_SETPGROUP;
	failed = posix_spawnattr_setflags(&attributes, flags);
	failed |= posix_spawnattr_setsigmask(&attributes, &watch->original);
	failed |= posix_spawnattr_setsigdefault(&attributes, &watch->ignored);
	failed |= add_stream(&actions, start->streams.input, STDIN_FILENO);
	failed |= add_stream(&actions, start->streams.output, STDOUT_FILENO);
	failed |= add_stream(&actions, start->streams.error, STDERR_FILENO);
	if (failed == 0)
		failed = posix_spawn(
		    child, start->program, &actions, &attributes, start->arguments, environment);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return failed;
}

void process_log_command(const char *verb, const char *program, char *const *arguments)
{
	enum { PIECE = 400 }; /* of what one line of the log can hold */
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
