/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a summary's rows of blocked time: libpomp from what its observer saw, ompreport from an
 * archive. Texts are not copied; they must stay valid as long as the summary.
 */
#ifndef COMMON_BLOCKED_ROWS_H
#define COMMON_BLOCKED_ROWS_H

#include "common/summary.h"

#include <stdbool.h>

/* So many frames of a path say what it is there for. */
#define BLOCKED_FRAMES 24

/* A place in the code; the path to a system call has several, innermost first. */
struct blocked_frame {
	const char *function, *file; /* NULL: unknown */
	int line;                    /* 0: unknown */
	bool is_wrapper;             /* a short function of a header */
};

/*
 * Which frames are the program's own call, each `count` if there are none: the innermost one, and
 * the one that names the place, which is another one if the innermost is a wrapper.
 */
struct blocked_place {
	size_t innermost, named;
};
struct blocked_place blocked_place(const struct blocked_frame *frames, size_t count);

/* Returns the wrapper that the named place calls, if it does. */
struct summary_wrapper blocked_wrapper(
    const struct blocked_frame *frames, struct blocked_place place);
/* Adds a row of another wrapper to one: then none is named. */
void blocked_join_wrappers(struct summary_wrapper *of, const struct summary_wrapper *more);
/* Writes its file and line, or nothing if there is no wrapper, between `before` and `after`. */
#define BLOCKED_WRAPPER_SIZE 64
char *blocked_wrapper_text(char buffer[BLOCKED_WRAPPER_SIZE], const char *before,
    const struct summary_wrapper *wrapper, const char *after);

/* Fills in what the call is there for, and the place of the program's own call. */
void blocked_row_describe(
    struct summary_blocked *row, const struct blocked_frame *frames, size_t count);

/* The rows' room while they are made; zero at first. */
struct blocked_rows {
	size_t room;
};

/* Adds a row, or its time to the equal one. False when memory ran out. */
bool blocked_rows_add(
    struct summary *summary, struct blocked_rows *rows, const struct summary_blocked *row);

/* Orders all rows, longest first. */
void blocked_rows_finish(struct summary *summary);
void blocked_rows_free(struct summary *summary);

/* Writes "read(2)", "sleep" or "a pthread mutex", as a sentence names the cause; returns buffer. */
#define BLOCKED_NAME_SIZE 48
char *blocked_name(char buffer[BLOCKED_NAME_SIZE], const struct summary_blocked *row);
/* The same for a table: without "a", and "not seen" without a call. */
char *blocked_title(char buffer[BLOCKED_NAME_SIZE], const struct summary_blocked *row);

#endif
