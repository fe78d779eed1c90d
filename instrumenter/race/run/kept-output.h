/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what a run prints or writes to a file, to compare it with other runs. */
#ifndef RACE_KEPT_OUTPUT_H
#define RACE_KEPT_OUTPUT_H

#include "arena.h"

/* A file in memory for a run's output: a descriptor, or -1 with errno. */
int race_output_open(void);

/* Copies it to standard output; returns 0 or an errno. */
int race_output_show(int kept);

/* Its text (owned by the arena), up to a limit per run; NULL if it cannot be read. */
const char *race_output_text(struct inst_arena *arena, int kept);

/* The text of a file that the run wrote; NULL if there is none. */
const char *race_output_file(struct inst_arena *arena, const char *path);

#endif
