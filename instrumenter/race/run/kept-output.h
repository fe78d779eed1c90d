/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run prints, or writes to a file, kept to be compared with that of other runs. */
#ifndef RACE_KEPT_OUTPUT_H
#define RACE_KEPT_OUTPUT_H

#include "arena.h"

/* A file in memory that a run may print to: a descriptor, or -1 with errno. */
int race_output_open(void);

/* Prints it on standard output; 0 or an errno. */
int race_output_show(int kept);

/* Its text (the arena's), up to a limit for each run; NULL when it cannot be read. */
const char *race_output_text(struct inst_arena *arena, int kept);

/* The same of a file that the run has written; NULL without one. */
const char *race_output_file(struct inst_arena *arena, const char *path);

#endif
