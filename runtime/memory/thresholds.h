/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory glibc's malloc() keeps of what the program frees. */
#ifndef RT_THRESHOLDS_H
#define RT_THRESHOLDS_H
#include <stddef.h>

/*
 * From now on blocks of up to `bytes` come from the heap, and up to twice as much of it stays with
 * the process when it is freed. Thresholds are only raised, and glibc accepts at most 32 MiB.
 * Nothing changes if the program or its environment has set them (mallopt(), MALLOC_ variables,
 * tunables), if malloc() is not glibc's, or if bytes is 0.
 */
void rt_malloc_raise_thresholds(size_t bytes);

#endif
