/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The heap of the code under test: one piece of memory at a fixed address, so that runs are
 * repeatable. For each sixteen bytes it knows whether they are allocated. The harness determines
 * when freed blocks are used again: never, so that each use after free() is detected; or as early
 * as possible, so that addresses repeat.
 */
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	HEAP = 64 << 20,
	UNIT = 16,
	BINS = 512, /* blocks of up to this many units are used again */
};
#define HEAP_AT ((char *)0x600000000000)

enum unit { UNIT_UNUSED, UNIT_LIVE, UNIT_FREE };

struct header {
	size_t units;
	size_t unused;
};

static char *heap;
static size_t top, top_before;
static uint8_t *units, *units_before;
static char *heap_before;
/*
 * A block that may be used again. free() happens before the allocation that returns it (C11,
 * 7.22.3).
 */
struct freed {
	void *block;
	struct clock clock, order;
};

static struct {
	struct freed blocks[64];
	uint32_t count;
} bins[BINS];
static enum check_reuse reuse;

static void map_heap(void)
{
	if (heap != NULL)
		return;
	heap = mmap(HEAP_AT, HEAP, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
	units = mmap(NULL, HEAP / UNIT, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (heap == MAP_FAILED || units == MAP_FAILED)
		abort();
}

void heap_prepare(void)
{
	map_heap();
	top_before = top;
	heap_before = malloc(top + 1);
	units_before = malloc(top / UNIT + 1);
	if (heap_before == NULL || units_before == NULL)
		abort();
	memcpy(heap_before, heap, top);
	memcpy(units_before, units, top / UNIT);
}

void heap_reset(enum check_reuse wanted)
{
	reuse = wanted;
	memcpy(heap, heap_before, top_before);
	memcpy(units, units_before, top_before / UNIT);
	memset(units + top_before / UNIT, UNIT_UNUSED, (top - top_before) / UNIT);
	top = top_before;
	for (int i = 0; i < BINS; i++)
		bins[i].count = 0;
}

static bool is_heap(uintptr_t address)
{
	return heap != NULL && address - (uintptr_t)heap < HEAP;
}

void heap_access(uintptr_t address, size_t size, const void *place)
{
	if (!is_heap(address)) {
		files_access(address, size, place);
		return;
	}
	for (size_t i = (address - (uintptr_t)heap) / UNIT;
	     i <= (address + size - 1 - (uintptr_t)heap) / UNIT; i++) {
		if (units[i] == UNIT_FREE)
			report_failure(
			    place, "use of memory after free(), at %#lx", (unsigned long)address);
		if (units[i] == UNIT_UNUSED)
			report_failure(place, "use of memory that is not allocated, at %#lx",
			    (unsigned long)address);
	}
}

/* The block gets new contents: a thread that still accesses the old ones races with this. */
static void own(void *block, size_t bytes)
{
	if (check_self == NULL)
		return;
	shadow_access((uintptr_t)block, bytes, true, false, __builtin_return_address(0));
	memory_forget((uintptr_t)block, bytes);
}

static void put_back(void *block, size_t count)
{
	struct freed *freed;

	if (count >= BINS ||
	    bins[count].count == sizeof(bins[0].blocks) / sizeof(bins[0].blocks[0]))
		return;
	freed = &bins[count].blocks[bins[count].count++];
	*freed = (struct freed){.block = block};
	if (check_self != NULL) {
		freed->clock = check_self->clock;
		freed->order = check_self->order;
	}
}

static void *take_back(size_t count)
{
	struct freed *freed = &bins[count].blocks[--bins[count].count];

	if (check_self != NULL) {
		clock_join(&check_self->clock, &freed->clock);
		clock_join(&check_self->order, &freed->order);
	}
	return freed->block;
}

static void *allocate(size_t size, size_t alignment)
{
	size_t count = (size + UNIT - 1) / UNIT, offset;
	struct header *header;
	char *block;

	map_heap();
	count = count > 0 ? count : 1;
	if (count < BINS && alignment <= UNIT && bins[count].count > 0) {
		block = take_back(count);
	} else {
		offset = (top + sizeof(*header) + alignment - 1) & ~(alignment - 1);
		/* One unit between blocks is never allocated. */
		if (offset + (count + 1) * UNIT > HEAP)
			return NULL;
		block = heap + offset;
		top = offset + (count + 1) * UNIT;
	}
	header = (struct header *)(void *)block - 1;
	header->units = count;
	memset(units + (block - heap) / UNIT, UNIT_LIVE, count);
	own(block, count * UNIT);
	return block;
}

void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	return allocate(size, UNIT);
}

void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
	void *block = allocate(count * size, UNIT);

	if (block != NULL)
		memset(block, 0, count * size);
	return block;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return allocate(size, alignment > UNIT ? alignment : UNIT);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
	*block = __wrap_aligned_alloc(alignment, size);
	return *block != NULL ? 0 : ENOMEM;
}

void __wrap_free(void *block);
void __wrap_free(void *block)
{
	struct header *header;

	if (block == NULL)
		return;
	header = (struct header *)block - 1;
	if (!is_heap((uintptr_t)block)) {
		free(block); /* allocated by the C library's own functions */
		return;
	}
	if (units[((char *)block - heap) / UNIT] != UNIT_LIVE)
		report_failure(__builtin_return_address(0), "free() of what is not allocated");
	own(block, header->units * UNIT);
	memset(units + ((char *)block - heap) / UNIT, UNIT_FREE, header->units);
	if (reuse == CHECK_REUSE_FIRST)
		put_back(block, header->units);
}

void *__wrap_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
	void *new = __wrap_malloc(size);
	size_t old;

	if (block == NULL || new == NULL)
		return new;
	old = ((struct header *)block - 1)->units * UNIT;
	memcpy(new, block, old < size ? old : size);
	__wrap_free(block);
	return new;
}
