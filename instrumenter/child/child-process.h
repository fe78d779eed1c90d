/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs other programs, with clean-up whatever signal arrives meanwhile.
 *
 * While a watch is open, signals that would end this program are blocked and only taken while it
 * waits for a child. They are passed on to the child and remembered. The caller then returns as
 * after any error and removes its files, and process_watch_close() ends the program with that
 * signal. If a write exceeds the limit on the size of files (SIGXFSZ), the write fails.
 */
#ifndef CHILD_PROCESS_H
#define CHILD_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct process_watch {
	sigset_t waited;   /* SIGCHLD and the signals that end programs */
	sigset_t original; /* the mask for children and for exec */
	int interrupted;   /* the signal that arrived, or 0 */
	int passed_on;     /* what a child gets in place of it; 0: the same */
	sigset_t ignored;  /* signals that this process ignores; children get the default */
};

void process_watch_open(struct process_watch *watch);

/* Restores the mask; does not return if a signal arrived. */
void process_watch_close(struct process_watch *watch);

/* A program's standard input, output and error: descriptors, -1 for those of this process. */
struct process_streams {
	int input; /* a file, read from its beginning */
	int output, error;
};

/* A program to start. */
struct process_start {
	const char *program; /* a path */
	char *const *arguments;
	char *const *environment; /* NULL: that of this process */
	struct process_streams streams;
	pid_t group; /* the group that it joins, or one of: */
#define PROCESS_GROUP_OF_PARENT  0
#define PROCESS_GROUP_OF_ITS_OWN (-1)
	bool ends_with_parent; /* the kernel kills it when this process ends in any way */
	bool may_be_traced;    /* by this process and those that it starts (Yama) */
};

/*
 * Call in a child made by fork(): from now on the kernel kills it when its parent ends in any way.
 * Returns false if that is not possible, or if the parent has already ended: the child should then
 * end.
 */
bool process_end_with_parent(pid_t parent);

/* Starts the program with default signal handling. Returns 0, or an errno. */
int process_start(
    const struct process_watch *watch, const struct process_start *start, pid_t *child);

/*
 * Runs program (a path) with the arguments and waits for it. Returns its exit code, 128 + n if
 * signal n ended it, or -1 with errno if it could not be started or a signal interrupted this
 * process.
 */
int process_run(struct process_watch *watch, const char *program, char *const *arguments,
    struct process_streams streams);

/*
 * OMPINST_DEBUG=run: logs "VERB PROGRAM: WORDS". process_run() does this itself; call it for a
 * program that replaces this process. If arguments is NULL (memory ran out), nothing is logged.
 */
void process_log_command(const char *verb, const char *program, char *const *arguments);

/* Waits for a child made by fork(). Returns the same as process_run(). */
int process_wait(struct process_watch *watch, pid_t child);

/* Waits for a child and stores waitpid()'s status; false with errno if there is no such child. */
bool process_wait_status(struct process_watch *watch, pid_t child, int *status);

#endif
