/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matches the lines of functions between two versions of a program. A change of the source moves
 * the lines below it, all by the same number.
 */
#ifndef MOVED_LINES_H
#define MOVED_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One line of a function that both sides have. */
struct function_line {
	int line;
	uint64_t weight;
	size_t index; /* for the caller */
	bool is_matched;
};

/* A function's lines of one side, in their order. */
struct function_lines {
	struct function_line *lines;
	size_t count;
};

/*
 * Finds the number of lines by which most of the weight moved, and calls `match` with the indices
 * of each two lines that are so far apart; then the same for the lines that are left, of which
 * those before the change did not move. Of equally good numbers the smallest one counts.
 */
void match_moved_lines(struct function_lines a, struct function_lines b,
    void (*match)(void *context, size_t of_a, size_t of_b), void *context);

#endif
