/* SPDX-License-Identifier: BSD-3-Clause */
/* The structure of a text: its pragma lines, and the user's file and line of each offset. */
#ifndef PRAGMA_SCAN_H
#define PRAGMA_SCAN_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

/* `#pragma omp ...` or a pragma of pomp's. */
struct inst_pragma {
	bool user;        /* `#pragma pomp inst ...` or `#pragma omp inst ...` */
	bool attribute;   /* in `[[omp::...]]`; all directives of one have the same begin and end */
	bool mixed;       /* the attribute cannot be replaced: it also contains other ones */
	bool whole_lines; /* a `#` line, begin is the start of the line; false for `_Pragma` */
	size_t begin, end; /* what an edit replaces; if whole_lines, end is after the newline */
	size_t next;       /* the next token that is not a line marker or pragma */
	const char *words; /* after `omp` or `inst`: one line, without comments and splices */
};

/* From `offset` (a line start) on, lines are counted from `line` in `file`. */
struct line_origin {
	size_t offset;
	int line;
	const char *file;  /* unescaped */
	const char *flags; /* to be repeated after an added line marker: "", "3", "3 4" */
};

/* A text that the engine wrote, beginning with its mark: see INST_MARK. */
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
	size_t first_code;             /* start of the first line that is not just a line marker */
	struct written_range *written; /* ascending, disjoint */
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

/* Is `offset` in text that the engine wrote? */
bool scan_is_written(const struct inst_scan *scan, size_t offset);

/* Did the engine write everything, apart from line markers and another file's text in front? */
bool scan_all_written(const struct inst_scan *scan, size_t length);

/* Start of the physical line that contains `offset`. */
size_t scan_line_start(const struct inst_scan *scan, size_t offset);

#endif
