/* SPDX-License-Identifier: BSD-3-Clause */
/* Where debuggers stop a program at OpenMP's events (OpenMP 5.2, 20.6). */
#ifndef RT_BREAKPOINTS_H
#define RT_BREAKPOINTS_H

#pragma GCC visibility push(default)

/*
 * These functions do nothing: they are places for breakpoints (OpenMP 5.2, 20.6), called while
 * debug-var is set, on the thread that the event concerns. begin: the region, task or thread exists
 * and is the current one; end: it still is. At a region's begin and end the current task is the one
 * that encountered the construct. The host has no device to begin.
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
