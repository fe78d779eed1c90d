/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for the allocate clause and directive, whichever compiler calls for it. */
#ifndef RT_ALLOCATE_H
#define RT_ALLOCATE_H
#include <stddef.h>
#include <stdint.h>

/*
 * Memory for a variable of an allocate clause; omp_null_allocator stands for the task's default.
 * The program cannot see a failure, so that what no fallback provides comes from the default
 * allocator, and the end of that is the program's end. alignment  a power of two, or 0
 */
void *rt_allocate_variable(size_t alignment, size_t size, uintptr_t allocator);

#endif
