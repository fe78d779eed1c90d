/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory allocators (OpenMP 5.1, 2.13): the predefined ones, which have all traits at their
 * defaults (GNU's pinned allocator has that trait and no fallback), and those that the program
 * makes. On this host every memory space is ordinary memory, even that of high bandwidth, as with
 * libgomp since GCC 14: a program that requests faster memory runs without it.
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
	uintptr_t pool_size; /* pool size; UINTPTR_MAX: no limit */
	uintptr_t fallback;  /* omp_atv_*_fb */
	uintptr_t fallback_allocator;
	bool pinned;
	const char *written; /* for OMP_ALLOCATOR: its text; else NULL */
	/* Bytes taken from the system. Relaxed: a counter that orders nothing. */
	_Atomic uintptr_t used;
};

/*
 * Handles below this number, which no address in a process has, are those of predefined allocators.
 */
enum { RT_ALLOCATOR_LOWEST = 4096 };

/* NULL for the predefined allocators. */
static inline struct rt_allocator *rt_allocator_get(omp_allocator_handle_t handle)
{
	return handle >= RT_ALLOCATOR_LOWEST ? (struct rt_allocator *)handle : NULL;
}

/*
 * Makes an allocator with these traits. Returns omp_null_allocator if a trait has no usable value,
 * if the space does not exist, or if there is no memory (OpenMP 5.1, 3.13.2).
 */
omp_allocator_handle_t rt_allocator_new(
    omp_memspace_handle_t space, int count, const omp_alloctrait_t traits[]);

/* Destroys an allocator that the program made; does nothing for a predefined one. */
void rt_allocator_free(omp_allocator_handle_t allocator);

/*
 * Returns `size` bytes, aligned to a power of two and as the allocator requires, filled with zeros
 * on request. NULL if size is 0 or if neither the allocator nor its fallback has memory. Ends the
 * program if the fallback requires it.
 */
void *rt_memory_allocate(
    size_t alignment, size_t size, bool zeroed, omp_allocator_handle_t allocator);

/*
 * Moves the bytes to memory of another size, from this allocator or its fallback. The
 * allocator that gave the old memory resizes it, even as a fallback. Without memory it returns NULL
 * and the old memory remains.
 */
void *rt_memory_reallocate(void *memory, size_t size, omp_allocator_handle_t allocator);

/* Frees memory from rt_memory_allocate(), or NULL. */
void rt_memory_free(void *memory);

/* The allocator that gave the memory. */
omp_allocator_handle_t rt_memory_allocator(const void *memory);

#endif
