/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for the allocate clause and directive, as gcc calls for it. */
#include "abi.h"
#include "allocators.h"
#include "initial-thread.h"
#include "message.h"

/*
 * Memory for a variable of an allocate clause. The program cannot see a failure, so that what no
 * fallback provides comes from the default allocator, and the end of that is the program's end.
 */
ENTRY(void *, GOMP_alloc, size_t alignment, size_t size, uintptr_t allocator)
{
	size_t needed = size > 0 ? size : 1;
	void *memory;

	if (allocator == omp_null_allocator)
		allocator = rt_icvs()->def_allocator;
	memory = rt_memory_allocate(alignment, needed, false, allocator);
	if (!memory)
		memory = rt_memory_allocate(alignment, needed, false, omp_default_mem_alloc);
	if (!memory)
		rt_fatal(
		    "no memory for an allocate clause (%zu bytes); the program ends here", size);
	return memory;
}

ENTRY(void, GOMP_free, void *memory, uintptr_t allocator)
{
	(void)allocator;
	rt_memory_free(memory);
}
