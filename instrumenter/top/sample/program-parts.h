/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program is asked for once in an interval, because it takes more reads. */
#ifndef PROGRAM_PARTS_H
#define PROGRAM_PARTS_H

#include "sampled-program.h"

/* Sets the locks and their waiters, from the threads' last look, and the holders if known. */
void program_count_waiters(struct program *program);

/* Sets the number of queued tasks; knows_tasks stays false if they make no sense. */
void program_count_tasks(struct program *program);

/* Finds the names of regions and locks that are new, a few in one call. */
void program_find_names(struct program *program);

#endif
