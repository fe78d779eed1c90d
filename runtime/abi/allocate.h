/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for the allocate clause and directive, for all compilers. */
#ifndef RT_ALLOCATE_H
#define RT_ALLOCATE_H
#include <stddef.h>
#include <stdint.h>

/*
 * Returns memory for a variable of an allocate clause; omp_null_allocator means the task's default.
 * The program cannot see a failure. So if neither the allocator nor its fallback has memory, the
 * default allocator provides it, and if that fails, the program ends. alignment: a power of two, or
 * 0.
 */
void *rt_allocate_variable(size_t alignment, size_t size, uintptr_t allocator);

#endif
