/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether lines of preprocessed text are the same as in the user's file. */
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

/* Places that are checked in one pass. The file names must stay valid until then. */
struct unchanged_lines {
	struct line_place *places;
	size_t count, capacity;
	bool failed; /* out of memory: no line counts as unchanged */
};

void unchanged_lines_add(struct unchanged_lines *lines, const struct line_place *place);

/*
 * Is every place on a line that the preprocessor left unchanged, except for a comment or blanks at
 * its end, and is the place before those? Reads the user's files.
 */
bool unchanged_lines_hold(
    const struct unchanged_lines *lines, const struct text_file *preprocessed);

void unchanged_lines_finish(struct unchanged_lines *lines);

#endif
