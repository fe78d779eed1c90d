/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for the allocate clause and directive, as gcc's code requests it. */
#include "allocate.h"

#include <pthread.h>

#include "abi.h"
#include "allocators.h"
#include "shared/hash-map.h"
#include "initial-thread.h"
#include "message.h"
#include "mutex.h"

void *rt_allocate_variable(size_t alignment, size_t size, uintptr_t allocator)
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

ENTRY(void *, GOMP_alloc, size_t alignment, size_t size, uintptr_t allocator)
{
	return rt_allocate_variable(alignment, size, allocator);
}

ENTRY(void, GOMP_free, void *memory, uintptr_t allocator)
{
	(void)allocator;
	rt_memory_free(memory);
}

/*
 * The allocatable variables of a Fortran program that have memory of GOMP_alloc(). The program's
 * code adds each one, and asks before it frees or resizes a variable, which removes it. The lock
 * guards only the map. A fork takes it, so that the child finds both in order.
 */
static struct {
	struct rt_mutex mutex;
	struct map addresses;
	bool follows_forks;
} allocatables;

static void lock_allocatables(void)
{
	rt_mutex_lock(&allocatables.mutex);
}

static void unlock_allocatables(void)
{
	rt_mutex_unlock(&allocatables.mutex);
}

ENTRY(void, GOMP_add_alloc, void *memory)
{
	bool is_added;

	if (!memory)
		return;
	lock_allocatables();
	if (!allocatables.follows_forks)
		pthread_atfork(lock_allocatables, unlock_allocatables, unlock_allocatables);
	allocatables.follows_forks = true;
	is_added = map_set(&allocatables.addresses, (uintptr_t)memory, 0);
	unlock_allocatables();
	if (!is_added)
		rt_fatal("no memory to note an allocatable variable; the program ends here");
}

ENTRY(bool, GOMP_is_alloc, void *memory)
{
	bool is_known;

	lock_allocatables();
	is_known = map_find(&allocatables.addresses, (uintptr_t)memory) != MAP_NONE;
	map_erase(&allocatables.addresses, (uintptr_t)memory);
	unlock_allocatables();
	return is_known;
}
