/* SPDX-License-Identifier: BSD-3-Clause */
/* The routines of whatever OpenMP runtime the program brings; libpomp links none. */
#ifndef RUNTIME_ROUTINE_H
#define RUNTIME_ROUTINE_H

typedef void runtime_routine(void);

/*
 * Returns the routine with that name, or NULL when the runtime has none. If a runtime has two, for
 * two layouts of a lock, returns the one that the code at `caller` would call.
 */
runtime_routine *pomp_runtime_routine(const char *name, const void *caller);

#endif
