/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What lock variables are called. libpomp asks when a program ends, and `ompreport recover` when it
 * was killed before: both get the same names for the same locks.
 */
#ifndef SHARED_LOCK_TITLES_H
#define SHARED_LOCK_TITLES_H

#include "shared/code-names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A lock variable that was acquired. A module that is NULL or "" is not known, or is no file. */
struct lock_variable {
	uint64_t number;         /* in the order in which the locks were first seen */
	uint64_t address;        /* in the process */
	struct code_place place; /* of the variable */
	struct code_place init;  /* CODE_RETURN, of the call that initialized it; not known where
				    several calls did */
	char *title;             /* set by lock_titles_find(): heap, NULL when memory ran out */
	char *origin;            /* for lock_titles_find() alone */
};

/*
 * Gives the locks titles, different ones to different locks: "lock VARIABLE" in static storage,
 * "lock FILE+OFFSET" there where no variable is known, else "lock initialized at FILE:LINE", "lock
 * initialized in FUNCTION" or "lock initialized at FILE+OFFSET" by what is known of the call, else
 * "lock ADDRESS". The locks come in ascending order of number, and stay so.
 *
 * `guarded` calls step(context), and returns false where that failed: the namer, in an unknown
 * state then, is not asked any more, and *namer becomes NULL. NULL: steps are called as they are. A
 * namer that is NULL from the beginning knows nothing.
 */
void lock_titles_find(struct lock_variable *locks, size_t count,
    const struct code_names_table *table, struct code_namer **namer,
    bool (*guarded)(void (*step)(void *context), void *context));

#endif
