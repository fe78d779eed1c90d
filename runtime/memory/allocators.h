/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory allocators (OpenMP 5.1, 2.13): the predefined ones, which have all traits at their
 * defaults (GNU's pinned one has that trait and no fallback), and those that the program makes. On
 * this host every memory space is ordinary memory, also that of high bandwidth, as with libgomp
 * since GCC 14: a program that asks for it runs, with no faster memory than there is.
 */
#ifndef RT_ALLOCATORS_H
#define RT_ALLOCATORS_H
#include <stdatomic.h>
#include <stdbool.h>

#include "omp-api.h"

/* The handle of an allocator that the program made is the address of one of these. */
struct rt_allocator {
	omp_memspace_handle_t space;
	uintptr_t alignment; /* power of two, at least 1 */
	uintptr_t pool_size; /* UINTPTR_MAX: no limit */
	uintptr_t fallback;  /* omp_atv_*_fb */
	uintptr_t fallback_allocator;
	bool pinned;
	const char *written; /* of OMP_ALLOCATOR's: its text; else NULL */
	/* Bytes taken from the system. Relaxed: a counter that orders nothing. */
	_Atomic uintptr_t used;
};

/* Numbers below the addresses that a process may have are those of predefined allocators. */
enum { RT_ALLOCATOR_LOWEST = 4096 };

/* NULL for the predefined allocators. */
static inline struct rt_allocator *rt_allocator_get(omp_allocator_handle_t handle)
{
	return handle >= RT_ALLOCATOR_LOWEST ? (struct rt_allocator *)handle : NULL;
}

/*
 * A new allocator with these traits, or omp_null_allocator: a trait has no usable value, the space
 * is not there, or there is no memory (OpenMP 5.1, 3.13.2).
 */
omp_allocator_handle_t rt_allocator_new(
    omp_memspace_handle_t space, int count, const omp_alloctrait_t traits[]);

/* Of an allocator that the program made; nothing happens for a predefined one. */
void rt_allocator_free(omp_allocator_handle_t allocator);

/*
 * size bytes, aligned to a power of two and as the allocator says, filled with zeros if asked for.
 * NULL when size is 0 or when neither the allocator nor its fallback has them; ends the program
 * when the fallback says so.
 */
void *rt_memory_allocate(
    size_t alignment, size_t size, bool zeroed, omp_allocator_handle_t allocator);

/*
 * The same bytes in memory of another size, not 0, from this allocator or its fallback. An
 * allocator that gave the old memory resizes it, also as a fallback. NULL, and the old memory
 * stays, when there is none.
 */
void *rt_memory_reallocate(void *memory, size_t size, omp_allocator_handle_t allocator);

/* Memory from rt_memory_allocate(), or NULL. */
void rt_memory_free(void *memory);

/* The allocator that gave the memory. */
omp_allocator_handle_t rt_memory_allocator(const void *memory);

#endif
