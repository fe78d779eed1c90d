/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the lock routines (OpenMP 5.2, 18.9) that have a counterpart in pomp.h. */
#ifndef LOCK_NAMES_H
#define LOCK_NAMES_H

#include "arena.h"
#include <stdbool.h>
#include <stddef.h>

enum { LOCK_ROUTINE_COUNT = 12 };

extern const char *const lock_routine_names[LOCK_ROUTINE_COUNT];

/* An identifier of the text that may be a lock routine. */
struct lock_name {
	size_t offset;
	const char *name; /* omp_set_lock */
	bool confirmed;   /* libclang found a reference to an external function here */
};

/* All identifiers of the text that are names of lock routines, in order. */
struct lock_name *find_lock_names(
    struct inst_arena *arena, const char *text, size_t length, size_t *count);

#endif
