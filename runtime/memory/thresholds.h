/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory glibc's malloc() keeps of what the program frees. */
#ifndef RT_THRESHOLDS_H
#define RT_THRESHOLDS_H
#include <stddef.h>

/*
 * Blocks of up to `bytes` come from the heap from now on, and twice as much of it stays with the
 * process when it is freed. Thresholds are only raised, and 32 MiB is the most that glibc takes.
 * Nothing changes where the program or its environment has set them (mallopt(), MALLOC_ variables,
 * tunables), and where malloc() is not glibc's. bytes: 0 changes nothing either.
 */
void rt_malloc_raise_thresholds(size_t bytes);

#endif
