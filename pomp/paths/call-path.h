/* SPDX-License-Identifier: BSD-3-Clause */
/* Call paths: of an interrupted thread, read in its signal handler, and of an event. */
#ifndef CALL_PATH_H
#define CALL_PATH_H

#include "python-frames.h"
#include "unwind-tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	POMP_PATH_DEPTH = 128, /* frames of one path at most; the innermost ones are kept */
};

/* A word that is no address: the outer part of the path is missing. */
#define POMP_PATH_TOO_DEEP (UINT64_C(1) << 62)

/*
 * Where a path is read to. It is not on the stack, because the interrupted thread may have little
 * left of that: pomp_call_path() uses less than POMP_CALL_PATH_STACK bytes.
 */
struct pomp_call_path {
	uint64_t word[POMP_PATH_DEPTH + 2];          /* two that callers may add */
	uint64_t stack_pointer[POMP_PATH_DEPTH + 2]; /* of each word's frame */
	struct unwind unwind;
	struct pomp_python_path python;
};

enum { POMP_CALL_PATH_STACK = 1024 };

/* Prepares for paths; called once, before the first handler. */
void pomp_call_path_prepare(void);

/* Returns the calling thread's stack; empty if that is not known. Not for handlers. */
struct unwind_stack pomp_call_path_stack(void);

/*
 * Reads the path of what a signal interrupted in the thread with this stack: word[0] is the
 * interrupted address, the others are return addresses. Functions of Python are in the place of
 * the interpreter's own. `context` is the handler's third argument.
 * The path ends before callers whose stack pointer is at `limit` or above.
 * Returns how many there are, at least 1. If some are missing at the outer end, the last is
 * POMP_PATH_TOO_DEEP.
 */
size_t pomp_call_path(
    struct pomp_call_path *path, struct unwind_stack stack, uint64_t limit, const void *context);

/* Words of a stack by which the path of a later event is known to be the same. */
struct pomp_stack_word {
	const uintptr_t *place;
	uintptr_t value;
};
struct pomp_stack_words {
	struct pomp_stack_word word[2 * POMP_PATH_DEPTH];
	size_t count;
};

/*
 * Adds the path of an event to the first `count` words of *path, up to the limit as above. frame:
 * __builtin_frame_address(0) in the event's function. The path begins with the return address
 * `caller`; functions between that caller and the event's are left out. *words: all words of the
 * stack on the way. *stack_pointer: that caller's. Returns how many words *path has; 0: the path
 * could not be read as a whole.
 */
size_t pomp_call_path_of_event(struct pomp_call_path *path, size_t count, struct unwind_stack stack,
    const uintptr_t *frame, uintptr_t caller, uint64_t limit, struct pomp_stack_words *words,
    uint64_t *stack_pointer);

#endif
