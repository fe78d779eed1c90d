/* SPDX-License-Identifier: BSD-3-Clause */
/* What a debugger finds in the process (OpenMP 5.2, 20.2). */
#ifndef RT_DEBUG_H
#define RT_DEBUG_H

/*
 * Publishes where the debugger plugin is. Called by the library's constructor after the environment
 * has been read.
 */
void rt_debug_start(void);

#pragma GCC visibility push(default)

/*
 * NULL until complete; then the paths of plugins, first the one that belongs to this library, then
 * NULL.
 */
extern const char **ompd_dll_locations;

/* Does nothing: a debugger sets a breakpoint here to notice that ompd_dll_locations is complete. */
void ompd_dll_locations_valid(void);

/*
 * Makes the runtime keep, from now on, what only a debugger needs, as with OMP_DEBUG=enabled. Call
 * it before the first OpenMP construct; the constructor of a preloaded library is early enough.
 */
void omp_debug_enable(void);

#pragma GCC visibility pop

#endif
