/* SPDX-License-Identifier: BSD-3-Clause */
/* Which lines of a file to show: those of its regions, and some around them. */
#ifndef EXCERPTS_H
#define EXCERPTS_H

#include "annotations.h"

/* The lines around one that regions stand at. All zero bytes is before the first. */
struct excerpt {
	int first, line, last;      /* lines from 1; regions stand at `line` */
	int skipped;                /* lines between the excerpt before and this; 0 at the first */
	size_t annotation, regions; /* of the file's annotations: the first at `line`, how many */
};

/*
 * Moves to the file's next excerpt, with up to `context` lines on both sides that are in no other
 * one. False: there is none. Lines behind the file's end are not known here.
 */
bool excerpt_next(struct excerpt *excerpt, const struct annotations *annotations,
    const struct annotated_file *file, int context);

#endif
