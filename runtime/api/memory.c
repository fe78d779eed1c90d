/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines of OpenMP 5.1, 3.13, for memory of allocators, and the two entries that the compiler
 * calls for the allocate clause and directive.
 */
#include <stdlib.h>
#include <string.h>

#include "allocators.h"
#include "target.h"
#include "message.h"
#include "thread.h"

void omp_set_default_allocator(omp_allocator_handle_t allocator)
{
	rt_icvs_write()->def_allocator =
	    allocator == omp_null_allocator ? omp_default_mem_alloc : allocator;
}

omp_allocator_handle_t omp_get_default_allocator(void)
{
	return rt_icvs()->def_allocator;
}

static bool is_power_of_two(size_t number)
{
	return number > 0 && (number & (number - 1)) == 0;
}

void *omp_aligned_alloc(size_t alignment, size_t size, omp_allocator_handle_t allocator)
{
	if (!is_power_of_two(alignment))
		return NULL;
	return rt_memory_allocate(alignment, size, false, allocator);
}

void *omp_alloc(size_t size, omp_allocator_handle_t allocator)
{
	return rt_memory_allocate(1, size, false, allocator);
}

void *omp_aligned_calloc(
    size_t alignment, size_t count, size_t size, omp_allocator_handle_t allocator)
{
	size_t bytes;

	if (!is_power_of_two(alignment) || __builtin_mul_overflow(count, size, &bytes))
		return NULL;
	return rt_memory_allocate(alignment, bytes, true, allocator);
}

void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t allocator)
{
	return omp_aligned_calloc(1, count, size, allocator);
}

void omp_free(void *memory, omp_allocator_handle_t allocator)
{
	(void)allocator;
	rt_memory_free(memory);
}

/*
 * Of the two allocators a null one stands for the other; two null ones for the one that gave the
 * memory. On failure the memory stays as it is.
 */
void *omp_realloc(void *memory, size_t size, omp_allocator_handle_t allocator,
    omp_allocator_handle_t free_allocator)
{
	if (size == 0) {
		rt_memory_free(memory);
		return NULL;
	}
	if (allocator == omp_null_allocator)
		allocator = free_allocator;
	if (!memory)
		return rt_memory_allocate(1, size, false, allocator);
	void *moved = NULL;
	if (allocator == omp_null_allocator)
		allocator = rt_memory_allocator(memory);
	if (allocator == rt_memory_allocator(memory))
		moved = rt_memory_resize(memory, size);
	if (moved)
		return moved;
	moved = rt_memory_allocate(1, size, false, allocator);
	if (!moved)
		return NULL;
	size_t old_size = rt_memory_size(memory);
	memcpy(moved, memory, old_size < size ? old_size : size);
	rt_memory_free(memory);
	return moved;
}

/*
 * Memory for a variable of an allocate clause. The program cannot see a failure, so that what no
 * fallback provides comes from the default allocator, and the end of that is the program's end.
 */
void *GOMP_alloc(size_t alignment, size_t size, uintptr_t allocator)
{
	size_t needed = size > 0 ? size : 1;
	void *memory = rt_memory_allocate(alignment, needed, false, allocator);

	if (!memory)
		memory = rt_memory_allocate(alignment, needed, false, omp_default_mem_alloc);
	if (!memory)
		rt_fatal(
		    "no memory for an allocate clause (%zu bytes); the program ends here", size);
	return memory;
}

void GOMP_free(void *memory, uintptr_t allocator)
{
	omp_free(memory, allocator);
}
