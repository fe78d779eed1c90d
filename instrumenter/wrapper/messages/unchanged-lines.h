/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether lines of preprocessed text are what the user wrote. */
#ifndef UNCHANGED_LINES_H
#define UNCHANGED_LINES_H

#include "text-file.h"

#include <stdbool.h>
#include <stddef.h>

struct line_place {
	const char *file; /* as line markers name it, not NUL-terminated */
	size_t file_length;
	int line, column; /* from 1; the column is at most this far into the line */
};

/* Places that are checked in one pass; the file names have to outlive it. */
struct unchanged_lines {
	struct line_place *places;
	size_t count, capacity;
	bool failed; /* out of memory: nothing holds */
};

void unchanged_lines_add(struct unchanged_lines *lines, const struct line_place *place);

/*
 * Is each place on a line that the preprocessor left alone, up to a comment or blanks at its end,
 * and before those? The user's files are read for that.
 */
bool unchanged_lines_hold(
    const struct unchanged_lines *lines, const struct text_file *preprocessed);

void unchanged_lines_finish(struct unchanged_lines *lines);

#endif
