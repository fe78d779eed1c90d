/* SPDX-License-Identifier: BSD-3-Clause */
/* Which locks the calling strand holds: the hooks of shared/race-log.h for calls seen here. */
#ifndef HELD_LOCKS_H
#define HELD_LOCKS_H

#include "shared/race-log.h"

#include <stdbool.h>

/*
 * Before the calling thread may wait for the lock, and when it has it. frame: of the function that
 * the program called, compiled with a frame pointer; NULL: only lock->caller is known.
 */
void held_lock_want(const struct race_lock *lock, const void *frame);
void held_lock_add(const struct race_lock *lock, const void *frame);

/* It does not get the lock that it wanted. */
void held_lock_want_none(void);

/* The program frees the memory; __sanitizer_get_allocated_size() has to be there. */
void held_lock_free(const volatile void *memory);

/* Does the calling strand hold the lock? */
bool held_lock_has(const void *identity);

#endif
