/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which lines another thread had in an earlier epoch: when a thread is the first to use a line in
 * its epoch, the line's state says who used it last and since when it is written. Counted are pairs
 * of instructions, now and before, in tables of which each thread has its own.
 *
 * A line has moved if another thread wrote it since it has been the last user, or if this access
 * writes it; otherwise both may have a copy of it. A line that a second thread uses in the same
 * epoch is shared, not moved: then what was counted for the first one is taken back.
 */
#ifndef SHARING_LINE_MOVES_H
#define SHARING_LINE_MOVES_H

#include "noted-lines.h"

/* What a pair is of; the bits of a log's FLAGS. */
enum {
	MOVED_FROM_SERIAL = SHARING_FROM_SERIAL,
	MOVED_FROM_TASK = SHARING_FROM_TASK,
	MOVED_TO_SERIAL = SHARING_TO_SERIAL,
	MOVED_TO_TASK = SHARING_TO_TASK,
	MOVED_TO_STOLEN = SHARING_TO_STOLEN,
	MOVED_BACK = SHARING_TAKEN_BACK, /* `now` counts, as shared in its epoch after all */
	MOVED_BY_WRITE = SHARING_BY_WRITE,
	MOVED_FROM_CHUNKS = SHARING_FROM_CHUNKS,
	MOVED_TO_CHUNKS = SHARING_TO_CHUNKS,
	MOVED_TASKS = 1 << 15, /* no lines: tasks created at `now`, stolen ones moved */
};

struct moved_pair {
	uintptr_t now, before;           /* return addresses of access calls; 0: none */
	uintptr_t region, region_before; /* of the calls that began the regions; 0: none */
	uintptr_t memory;                /* the part of the memory, or what is allocated there */
	unsigned flags;
};

struct moved_count {
	struct moved_count *next; /* in its chain; constant */
	struct moved_pair pair;
	uintptr_t address; /* of the first line */
	uint64_t uses, moved;
	uint64_t members; /* of teams that have counted, as bits */
	uint32_t epoch, epochs;
};

/* The marks of the state when the thread is the first to use the line in its epoch. */
uint64_t line_moves_marks(const struct noting_thread *self, uint64_t before, bool writes);

/* It has become the thread's: from `before` with `sample` to `state`. */
void line_moves_note(struct noting_thread *self, uint64_t before, uint64_t sample, uint64_t state,
    const struct noted_access *access);

/* A second thread uses the line in the epoch. */
void line_moves_take_back(
    struct noting_thread *self, uint64_t state, uint64_t sample, uintptr_t address);

/* A task that was created there has been completed by the thread. */
void line_moves_count_task(struct noting_thread *self, uintptr_t site, bool is_stolen);

/* Calls found() for what all threads have counted, pairs of one allocation or part of memory once.
 */
void line_moves_find(void (*found)(const struct moved_count *count));

#endif
