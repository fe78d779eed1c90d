/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Running other programs, with clean-up whatever signal arrives meanwhile.
 *
 * While a watch is open, the signals that would end the program are blocked and only taken while
 * waiting for a child: they are passed on to the child and remembered, the caller returns as after
 * any error and removes its files, and process_watch_close() then ends the program by that signal.
 * A limit on the size of files (SIGXFSZ) is an error of the write that exceeds it.
 */
#ifndef CHILD_PROCESS_H
#define CHILD_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct process_watch {
	sigset_t waited;   /* SIGCHLD and the signals that end programs */
	sigset_t original; /* the mask that children and exec get */
	int interrupted;   /* the signal that came, or 0 */
	sigset_t ignored;  /* signals that this process ignores; children get the default */
};

void process_watch_open(struct process_watch *watch);

/* Restores the mask; does not return when a signal came. */
void process_watch_close(struct process_watch *watch);

/*
 * What a program has for standard input, output and error: descriptors, -1 for those of this
 * process.
 */
struct process_streams {
	int input; /* a file, which is read from its beginning */
	int output, error;
};

/* A program to start. */
struct process_start {
	const char *program; /* a path */
	char *const *arguments;
	char *const *environment; /* NULL: this process' own */
	struct process_streams streams;
	pid_t group; /* that it joins, or one of: */
#define PROCESS_GROUP_OF_PARENT  0
#define PROCESS_GROUP_OF_ITS_OWN (-1)
	bool ends_with_parent; /* the kernel kills it when this process ends, however that ends */
};

/*
 * In a child made by fork(): from now on the kernel kills it when its parent ends, however that
 * ends. Returns false where it cannot, or where the parent has ended already: the child then ends.
 */
bool process_end_with_parent(pid_t parent);

/* Starts it with the signals that a program expects. Returns 0, or an errno. */
int process_start(
    const struct process_watch *watch, const struct process_start *start, pid_t *child);

/*
 * Runs program (a path) with the arguments and waits for it. Returns its exit code, 128 + n when
 * signal n ended it, or -1 with errno when it could not be started or a signal interrupted this
 * process.
 */
int process_run(struct process_watch *watch, const char *program, char *const *arguments,
    struct process_streams streams);

/*
 * OMPINST_DEBUG=run: "VERB PROGRAM: WORDS". process_run() does this itself; it is for what runs in
 * the place of this process. No arguments (NULL): memory ran out, and nothing is printed.
 */
void process_log_command(const char *verb, const char *program, char *const *arguments);

/* Waits for a child made by fork(). Returns as process_run(). */
int process_wait(struct process_watch *watch, pid_t child);

/* The same, with what waitpid() says of the child's end; false with errno where it has no child. */
bool process_wait_status(struct process_watch *watch, pid_t child, int *status);

#endif
