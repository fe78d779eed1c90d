/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The frames of Python in a thread that executes CPython 3.11, 3.12 or 3.13: function and line of
 * each, as words of a call path. The program's own interpreter is known by its symbols; with any
 * other version, and without the global lock, there are none.
 *
 * Why a handler may read them: it interrupts its own thread, so nothing that it reads changes
 * meanwhile, and no other thread frees it.
 *   thread state  that which the C library keeps for the thread (pthread_getspecific())
 *   a frame       is in a piece of the thread's stack of frames, or it belongs to a generator that
 *                 the thread executes, whose memory is known by the list of handled exceptions
 *   code object   its frame owns it. The innermost frame may be in its beginning or end: then its
 *                 code is not read
 *   texts, lines  their code object owns them
 * It takes no lock, allocates nothing, and reads a bounded number of frames and bytes.
 */
#ifndef PYTHON_FRAMES_H
#define PYTHON_FRAMES_H

#include "python-names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word of a path that is a function of Python: | its number << 32 | line. */
#define POMP_PATH_PYTHON (UINT64_C(1) << 57)

static inline uint32_t pomp_path_python_number(uint64_t word)
{
	return word >> 32 & 0xffffff;
}

static inline uint32_t pomp_path_python_line(uint64_t word)
{
	return word & UINT32_MAX;
}

enum { POMP_PYTHON_DEPTH = 128 };

/* Frames of Python, innermost first. */
struct pomp_python_path {
	size_t count;
	uint64_t word[POMP_PYTHON_DEPTH];
	/* An address in the stack frame of the interpreter's function that executes it. */
	uint64_t place[POMP_PYTHON_DEPTH];
	struct pomp_python_text text;         /* of the one that is being read */
	uint64_t rest[POMP_PYTHON_DEPTH + 2]; /* the words between which they are put */
};

/* Addresses of a stack, or of code. */
struct pomp_python_range {
	uint64_t first, end;
};

/* Looks for the interpreter; called once, before the first handler. */
void pomp_python_prepare(void);

/*
 * Reads the frames of the calling thread, whose stack in use that is. Those whose place is at
 * `limit` or above are left out. Returns whether there are any.
 */
bool pomp_python_read(
    struct pomp_python_path *path, struct pomp_python_range stack, uint64_t limit);

/* Returns a number that differs when other frames, or other instructions in them, are executed. */
uint64_t pomp_python_state(struct pomp_python_range stack, uint64_t limit);

/* Returns whether the code is the interpreter's. */
bool pomp_python_has(uint64_t address);

#endif
