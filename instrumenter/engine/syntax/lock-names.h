/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock routines (OpenMP 5.2, 18.9) that have a counterpart in pomp.h; emit_locks() in unit.h
 * puts the counterparts in.
 */
#ifndef LOCKS_H
#define LOCKS_H

#include "arena.h"
#include "statements.h"

/* Every identifier of the text that is a lock routine's name, in order. */
struct lock_name *find_lock_names(
    struct inst_arena *arena, const char *text, size_t length, size_t *count);

#endif
