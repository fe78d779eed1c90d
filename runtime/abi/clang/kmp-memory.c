/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocators as calls of the compiler: memory for the allocate clause and directive, and OpenMP's
 * routines, as icx calls them. Handles and traits have the same numbers in clang's omp.h as in
 * gcc's; the three handles for memory of devices, which only clang has, are treated as those of the
 * host.
 */
#include "allocate.h"
#include "allocators.h"
#include "kmp.h"
#include "omp-api.h"

LONE_ENTRY(void *, __kmpc_alloc, int32_t gtid, size_t size, uintptr_t allocator)
{
	(void)gtid;
	return rt_allocate_variable(0, size, allocator);
}

LONE_ENTRY(
    void *, __kmpc_aligned_alloc, int32_t gtid, size_t alignment, size_t size, uintptr_t allocator)
{
	(void)gtid;
	return rt_allocate_variable(alignment, size, allocator);
}

LONE_ENTRY(void, __kmpc_free, int32_t gtid, void *memory, uintptr_t allocator)
{
	(void)gtid;
	(void)allocator;
	rt_memory_free(memory);
}

LONE_ENTRY(void *, __kmpc_calloc, int32_t gtid, size_t count, size_t size, uintptr_t allocator)
{
	(void)gtid;
	return omp_calloc(count, size, allocator);
}

LONE_ENTRY(void *, __kmpc_realloc, int32_t gtid, void *memory, size_t size, uintptr_t allocator,
    uintptr_t free_allocator)
{
	(void)gtid;
	return omp_realloc(memory, size, allocator, free_allocator);
}

LONE_ENTRY(uintptr_t, __kmpc_init_allocator, int32_t gtid, uintptr_t space, int32_t count,
    const omp_alloctrait_t *traits)
{
	(void)gtid;
	return omp_init_allocator(space, count, traits);
}

LONE_ENTRY(void, __kmpc_destroy_allocator, int32_t gtid, uintptr_t allocator)
{
	(void)gtid;
	omp_destroy_allocator(allocator);
}

LONE_ENTRY(void, __kmpc_set_default_allocator, int32_t gtid, uintptr_t allocator)
{
	(void)gtid;
	omp_set_default_allocator(allocator);
}

LONE_ENTRY(uintptr_t, __kmpc_get_default_allocator, int32_t gtid)
{
	(void)gtid;
	return omp_get_default_allocator();
}
