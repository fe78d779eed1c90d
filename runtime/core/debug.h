/* SPDX-License-Identifier: BSD-3-Clause */
/* What a debugger finds in the process (OpenMP 5.2, 20.2 and 20.6, and the OMPD technical report).
 */
#ifndef RT_DEBUG_H
#define RT_DEBUG_H

#include "atomics.h"
#include "process.h"

/* Tells debuggers where the plugin is. Called by the library's constructor after the environment.
 */
void rt_debug_start(void);

struct rt_thread;

/* All threads that use the runtime. Changes while they come and go; for debuggers only. */
struct rt_thread_list {
	_Atomic(struct rt_thread *) first;
	uint32_t loader; /* the kernel's number of the thread that loaded the library, or forked */
};

extern struct rt_thread_list rt_threads;

/* The calling thread enters the list, and leaves it before its record is freed. */
void rt_debug_thread_begin(struct rt_thread *self);
void rt_debug_thread_end(struct rt_thread *self);

/* From now on the locks that the calling thread takes bear its number, which is returned. */
uint32_t rt_debug_mark_locks(void);

/* In a forked child, whose only thread is the calling one: its record, or NULL. */
void rt_debug_forked(struct rt_thread *self);

#pragma GCC visibility push(default)

/* NULL until complete; then paths of plugins, the one that belongs to this library first, then
 * NULL. */
extern const char **ompd_dll_locations;

/* Does nothing: debuggers set a breakpoint here to learn that ompd_dll_locations is complete. */
void ompd_dll_locations_valid(void);

/*
 * From now on the runtime keeps what only a debugger asks for, as with OMP_DEBUG=enabled. Call it
 * before the first OpenMP construct; the constructor of a preloaded library is early enough.
 */
void omp_debug_enable(void);

/*
 * Do nothing: places for breakpoints (OpenMP 5.2, 20.6), called on the thread that the event is
 * about while debug-var is set. begin: the region, task or thread exists and is the current one;
 * end: it still does. At a region's begin and end the current task is the one that met the
 * construct. The host has no device to begin.
 */
void ompd_bp_parallel_begin(void);
void ompd_bp_parallel_end(void);
void ompd_bp_task_begin(void);
void ompd_bp_task_end(void);
void ompd_bp_thread_begin(void);
void ompd_bp_thread_end(void);
void ompd_bp_device_begin(void);
void ompd_bp_device_end(void);

#pragma GCC visibility pop

#endif
