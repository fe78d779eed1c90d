/* SPDX-License-Identifier: BSD-3-Clause */
/* Which lines of a file to show: those of its regions, and some lines around them. */
#ifndef EXCERPTS_H
#define EXCERPTS_H

#include "annotations.h"

/*
 * The lines around one line that has regions. Initially all zero bytes, which stands before the
 * first excerpt.
 */
struct excerpt {
	int first, line, last; /* lines from 1; `line` has the regions */
	int skipped; /* lines between the previous excerpt and this one; 0 for the first */
	size_t annotation, regions; /* index of the first annotation at `line`; their number */
};

/*
 * Moves to the file's next excerpt, with up to `context` lines on both sides that are in no other
 * excerpt. Returns false if there is none. The excerpt may extend beyond the file's end, which is
 * not known here.
 */
bool excerpt_next(struct excerpt *excerpt, const struct annotations *annotations,
    const struct annotated_file *file, int context);

#endif
