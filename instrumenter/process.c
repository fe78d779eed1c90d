/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs other programs. There are no signal handlers: the signals of interest stay blocked and
 * sigwaitinfo() takes them, so that what has to be done on a signal is ordinary code without a
 * global variable. Children start with the mask the user gave us.
 */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGPIPE};

void process_watch_open(struct process_watch *watch)
{
	watch->interrupted = 0;
	/* An ignored SIGCHLD, which a parent can hand down, would make waitpid() fail. */
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&watch->waited);
	sigaddset(&watch->waited, SIGCHLD);
	for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++) {
		struct sigaction action;
		/* What the user ignores (nohup) goes on being ignored. */
		if (sigaction(ending_signals[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			sigaddset(&watch->waited, ending_signals[i]);
	}
	sigprocmask(SIG_BLOCK, &watch->waited, &watch->original);
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

int process_run(struct process_watch *watch, const char *program, char *const *arguments,
    const char *output_path, const char *error_path)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	pid_t child;
	int flags = O_WRONLY | O_CREAT | O_TRUNC;

	if (arguments == NULL) {
		errno = ENOMEM;
		return -1;
	}
	errno = posix_spawn_file_actions_init(&actions);
	if (errno != 0)
		return -1;
	errno = posix_spawnattr_init(&attributes);
	if (errno != 0) {
		posix_spawn_file_actions_destroy(&actions);
		return -1;
	}
	int failed = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	failed |= posix_spawnattr_setsigmask(&attributes, &watch->original);
	if (output_path != NULL)
		failed |= posix_spawn_file_actions_addopen(
		    &actions, STDOUT_FILENO, output_path, flags, 0600);
	if (error_path != NULL)
		failed |= posix_spawn_file_actions_addopen(
		    &actions, STDERR_FILENO, error_path, flags, 0600);
	if (failed == 0)
		failed = posix_spawn(&child, program, &actions, &attributes, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (failed != 0) {
		errno = failed;
		return -1;
	}
	return process_wait(watch, child);
}
