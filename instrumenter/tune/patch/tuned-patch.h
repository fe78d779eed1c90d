/* SPDX-License-Identifier: BSD-3-Clause */
/* The schedules and threads that have won, as changes of the user's text. */
#ifndef TUNED_PATCH_H
#define TUNED_PATCH_H

#include "patch.h"
#include "word-list.h"

struct tuned_patch {
	struct patch patch;    /* file names are real paths */
	size_t changes;        /* clauses that it changes or adds */
	struct words left_out; /* sentences: which loop's or region's text stays, and why */
};

/*
 * Makes the changes for POMP_LOOP_SCHEDULES and POMP_REGION_THREADS among the variables. A file
 * that is not found as the compiler named it is looked for from the program's folder.
 */
void tuned_patch_make(
    const struct words *variables, const char *program, struct tuned_patch *patch);

void tuned_patch_finish(struct tuned_patch *patch);

#endif
