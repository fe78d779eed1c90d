/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names for lock variables. libpomp asks for them when a program ends, and `ompreport recover` if
 * the program was killed before: both get the same names for the same locks.
 */
#ifndef SHARED_LOCK_TITLES_H
#define SHARED_LOCK_TITLES_H

#include "shared/code-names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A lock variable that was acquired. A module of NULL or "" is unknown, or not a file. */
struct lock_variable {
	uint64_t number;         /* in the order in which the locks were first seen */
	uint64_t address;        /* in the process */
	struct code_place place; /* of the variable */
	struct code_place init;  /* CODE_RETURN, of the initializing call; unknown if several */
	char *title;             /* set by lock_titles_find(): heap, NULL when memory ran out */
	char *origin;            /* only for lock_titles_find() */
};

/*
 * Gives each lock a title of its own: "lock VARIABLE" in static storage, or "lock FILE+OFFSET"
 * there if the variable is unknown. Else, depending on what is known of the call: "lock initialized
 * at FILE:LINE", "lock initialized in FUNCTION" or "lock initialized at FILE+OFFSET". Else "lock
 * ADDRESS". The locks must be in ascending order of number, and stay so.
 *
 * `guarded` calls step(context) and returns false if that failed; the namer is then in an unknown
 * state, is not used again, and *namer becomes NULL. If `guarded` is NULL, steps are called
 * directly. If *namer is NULL from the beginning, no names are known.
 */
void lock_titles_find(struct lock_variable *locks, size_t count,
    const struct code_names_table *table, struct code_namer **namer,
    bool (*guarded)(void (*step)(void *context), void *context));

#endif
