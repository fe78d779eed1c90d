/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers of threads that POMP_REGION_THREADS gives to parallel regions without a num_threads
 * clause. From a region's fork to its begin, nthreads-var of the encountering task has the number;
 * the region's implicit tasks, and what comes behind the region, have the value of before.
 */
#ifndef REGION_THREADS_H
#define REGION_THREADS_H

#include "pomp.h"

#include "pomp-atomics.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Reads the setting's value, "FILE:LINE=THREADS;...". An entry of another form is reported and left
 * out. Called once, before any region.
 */
void pomp_region_threads_read(const char *text, FILE *messages);

/* Prints one line for each entry that names no region that was executed. Called at the end. */
void pomp_region_threads_report(FILE *messages);

/* 1: the list has entries, and is complete. Release and acquire: see region-threads.c. */
extern _Atomic uint32_t pomp_region_threads_known __attribute__((visibility("hidden")));

void pomp_region_threads_set(const OMPRegDescr *region, const void *caller);
void pomp_region_threads_reset(const OMPRegDescr *region, bool in_team);

/* Before a region, by the encountering thread, when the settings have been read. */
static inline void pomp_region_threads_fork(const OMPRegDescr *region, const void *caller)
{
	if (__builtin_expect(load_acquire(&pomp_region_threads_known) != 0, 0))
		pomp_region_threads_set(region, caller);
}

/* At a region's begin, by each of its threads. */
static inline void pomp_region_threads_begin(const OMPRegDescr *region)
{
	if (__builtin_expect(load_acquire(&pomp_region_threads_known) != 0, 0))
		pomp_region_threads_reset(region, true);
}

/* Behind a region, by the encountering thread. */
static inline void pomp_region_threads_join(const OMPRegDescr *region)
{
	if (__builtin_expect(load_acquire(&pomp_region_threads_known) != 0, 0))
		pomp_region_threads_reset(region, false);
}

#endif
