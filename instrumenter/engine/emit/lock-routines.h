/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces OpenMP lock routines with the library's. */
#ifndef LOCK_ROUTINES_H
#define LOCK_ROUTINES_H

#include "unit.h"

/* Replaces the confirmed lock references. */
void emit_locks(struct unit *unit);

/*
 * Adds code that refers to the lock routines whose references are replaced. The library finds them
 * in the runtime at run time; without a reference the linker would leave out a runtime, or its
 * archive's members, that nothing else of the program needs.
 */
void add_lock_references(const struct unit *unit, struct inst_buffer *code);

#endif
