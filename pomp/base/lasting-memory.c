/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes pieces of mappings, whose pages take memory when they are first used.
 *
 * Who sees what: a mapping is complete before `current` points to it (release, acquire). A piece
 * belongs to the thread whose addition to `used` reached it; the mapping's pages are zero before.
 */
#include "lasting-memory.h"

#include "pomp-atomics.h"
#include "shared/processor.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

enum { MAPPING_BYTES = 1 << 20 };

struct mapping {
	_Alignas(PROCESSOR_LINE) _Atomic size_t used; /* with this head */
};

static _Atomic(struct mapping *) current;

/* The leak sanitizer looks for pointers in memory from malloc(), but not in our mappings. */
extern void __lsan_register_root_region(const void *begin, size_t size) __attribute__((weak));

static void *map(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	if (__lsan_register_root_region != NULL)
		__lsan_register_root_region(memory, bytes);
	return memory;
}

/* Replaces the mapping, unless another thread did; false: memory ran out. */
static bool renew(struct mapping *full)
{
	struct mapping *mapping = map(MAPPING_BYTES);

	if (mapping == NULL)
		return false;
	store_relaxed(&mapping->used, sizeof(*mapping));
	/* What another thread's mapping makes useless is an unused one. */
	(void)replace_release(&current, &full, mapping);
	return true;
}

void *pomp_lasting_memory(size_t bytes)
{
	if (bytes > MAPPING_BYTES / 4)
		return map(bytes);
	bytes = (bytes + PROCESSOR_LINE - 1) / PROCESSOR_LINE * PROCESSOR_LINE;
	for (;;) {
		struct mapping *mapping = load_acquire(&current);
		size_t at =
		    mapping != NULL ? fetch_add_relaxed(&mapping->used, bytes) : MAPPING_BYTES;
		if (at <= MAPPING_BYTES - bytes)
			return (char *)mapping + at;
		if (!renew(mapping))
			return NULL;
	}
}
