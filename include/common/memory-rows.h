/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a summary's rows of memory from samples: where pages fault, and where the program gets
 * memory from the kernel and gives it back. Texts are not copied; they must stay valid as long as
 * the summary.
 */
#ifndef COMMON_MEMORY_ROWS_H
#define COMMON_MEMORY_ROWS_H

#include "common/blocked-rows.h"

/* The rows' room while they are made; zero at first. */
struct memory_rows {
	size_t room;
};

/*
 * Adds samples of one path, whose frames are from the innermost one on, if they are about memory:
 * `faults` of them interrupted page faults. False when memory ran out.
 */
bool memory_rows_add_path(struct summary *summary, struct memory_rows *rows,
    const struct blocked_frame *frames, size_t count, uint64_t samples, uint64_t faults);

/* Adds a row, or its samples to the equal one. False when memory ran out. */
bool memory_rows_add(
    struct summary *summary, struct memory_rows *rows, const struct summary_memory *row);

/* Orders all rows, most samples first. */
void memory_rows_finish(struct summary *summary);
void memory_rows_free(struct summary *summary);

#endif
