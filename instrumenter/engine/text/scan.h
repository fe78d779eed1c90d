/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What stands where in a text: its pragma lines, and which line of which user file each offset is.
 */
#ifndef SCAN_H
#define SCAN_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

/* `#pragma omp ...` or one of pomp's. */
struct inst_pragma {
	bool user;        /* `#pragma pomp inst ...` or `#pragma omp inst ...` */
	bool attribute;   /* of `[[omp::...]]`; the directives of one have the same begin and end */
	bool mixed;       /* an attribute that cannot be replaced: other ones stand beside it */
	bool whole_lines; /* a `#` line: begin is its line's start; false for `_Pragma` */
	size_t begin, end; /* what an edit replaces; end is behind the newline if whole_lines */
	size_t next;       /* the token that follows, beyond blanks, line markers and pragmas */
	const char *words; /* after `omp` or `inst`: one line, without comments and splices */
};

/* From `offset` (a line start) on, lines count from `line` in `file`. */
struct line_origin {
	size_t offset;
	int line;
	const char *file;  /* unescaped */
	const char *flags; /* to be repeated after an added line marker: "", "3", "3 4" */
};

/* Text that the engine wrote, from its mark on: see INST_MARK. */
struct written_range {
	size_t begin, end;
};

struct inst_scan {
	struct inst_pragma *pragmas;
	size_t pragma_count, pragma_room;
	struct line_origin *markers;
	size_t marker_count, marker_room;
	size_t *lines; /* offset of every physical line */
	size_t line_count, line_room;
	size_t first_code; /* start of the first line that holds more than a line marker */
	struct written_range *written; /* ascending, apart from each other */
	size_t written_count, written_room;
};

/* A place in the user's files. Lines and columns count from 1. */
struct inst_place {
	const char *file;
	const char *flags;
	int line, column;
};

void scan_text(struct inst_arena *arena, const char *text, size_t length, const char *file_name,
    struct inst_scan *scan);

struct inst_place scan_place(const struct inst_scan *scan, size_t offset);

/* Did the engine write what stands at `offset`? */
bool scan_is_written(const struct inst_scan *scan, size_t offset);

/* Did it write all that is not a line marker, or another file's in front of it? */
bool scan_all_written(const struct inst_scan *scan, size_t length);

/* Start of the physical line that `offset` is on. */
size_t scan_line_start(const struct inst_scan *scan, size_t offset);

#endif
