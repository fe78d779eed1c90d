/* SPDX-License-Identifier: BSD-3-Clause */
/* The routines of OpenMP 5.1, 3.13, for allocators and their memory. */
#include <stdlib.h>

#include "allocators.h"
#include "initial-thread.h"
#include "versions.h"

ROUTINE(void, omp_set_default_allocator, (omp_allocator_handle_t allocator))
{
	rt_icvs_write()->def_allocator =
	    allocator == omp_null_allocator ? omp_default_mem_alloc : allocator;
}

ROUTINE(omp_allocator_handle_t, omp_get_default_allocator, (void))
{
	return rt_icvs()->def_allocator;
}

ROUTINE(omp_allocator_handle_t, omp_init_allocator,
    (omp_memspace_handle_t space, int count, const omp_alloctrait_t traits[]))
{
	return rt_allocator_new(space, count, traits);
}

ROUTINE(void, omp_destroy_allocator, (omp_allocator_handle_t allocator))
{
	rt_allocator_free(allocator);
}

/* omp_null_allocator means the calling task's default. */
static void *allocate(size_t alignment, size_t size, bool zeroed, omp_allocator_handle_t allocator)
{
	if (allocator == omp_null_allocator)
		allocator = rt_icvs()->def_allocator;
	return rt_memory_allocate(alignment, size, zeroed, allocator);
}

static bool is_power_of_two(size_t number)
{
	return number > 0 && (number & (number - 1)) == 0;
}

ROUTINE(
    void *, omp_aligned_alloc, (size_t alignment, size_t size, omp_allocator_handle_t allocator))
{
	if (!is_power_of_two(alignment))
		return NULL;
	return allocate(alignment, size, false, allocator);
}

ROUTINE(void *, omp_alloc, (size_t size, omp_allocator_handle_t allocator))
{
	return allocate(1, size, false, allocator);
}

ROUTINE(void *, omp_aligned_calloc,
    (size_t alignment, size_t count, size_t size, omp_allocator_handle_t allocator))
{
	size_t bytes;

	if (!is_power_of_two(alignment) || __builtin_mul_overflow(count, size, &bytes))
		return NULL;
	return allocate(alignment, bytes, true, allocator);
}

ROUTINE(void *, omp_calloc, (size_t count, size_t size, omp_allocator_handle_t allocator))
{
	return omp_aligned_calloc(1, count, size, allocator);
}

ROUTINE(void, omp_free, (void *memory, omp_allocator_handle_t allocator))
{
	(void)allocator;
	rt_memory_free(memory);
}

/*
 * A null allocator means the other one; two null ones mean the one that gave the memory. On failure
 * the memory remains unchanged.
 */
ROUTINE(void *, omp_realloc,
    (void *memory, size_t size, omp_allocator_handle_t allocator,
	omp_allocator_handle_t free_allocator))
{
	if (size == 0) {
		rt_memory_free(memory);
		return NULL;
	}
	if (allocator == omp_null_allocator)
		allocator = free_allocator;
	if (!memory)
		return allocate(1, size, false, allocator);
	if (allocator == omp_null_allocator)
		allocator = rt_memory_allocator(memory);
	return rt_memory_reallocate(memory, size, allocator);
}
