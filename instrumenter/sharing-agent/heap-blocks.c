/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An entry stands at each block's begin: the number of its allocation, and its size in units of 16
 * bytes. Sizes that do not fit are in a list of large blocks. Entries are relaxed: one is written
 * before the program has the block, and threads that use the block are ordered by the program.
 */
#include "heap-blocks.h"

#include "hash-mix.h"
#include "set-apart.h"
#include "spin-lock.h"

#include <string.h>
#include <sys/mman.h>

enum {
	UNIT_SHIFT = 4,
	SPACE_BITS = 47,
	SIZE_BITS = 16,
	LARGEST_SMALL = (1 << SIZE_BITS) - 2, /* units */
	LARGE_SIZE = (1 << SIZE_BITS) - 1,
	MOST_LARGE = 1 << 14,
};

_Atomic bool heap_is_noted;

static _Atomic uint32_t *entries;

/* Under the lock; an allocation's hash is stored last. */
static struct {
	struct spin_lock lock;
	struct allocation items[HEAP_MOST_ALLOCATIONS];
	struct heap_block large[MOST_LARGE];
	size_t large_next;
} known;

bool heap_blocks_begin(void)
{
	const size_t size = sizeof *entries << (SPACE_BITS - UNIT_SHIFT);
	void *memory = mmap(
	    NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	madvise(memory, size, MADV_DONTDUMP);
	madvise(memory, size, MADV_NOHUGEPAGE);
	entries = memory;
	return true;
}

const struct allocation *heap_allocation(struct noting_thread *self, uintptr_t caller)
{
	uintptr_t frames[BLOCK_FRAMES] = {caller};
	const unsigned count = 1 + noting_callers(self, frames + 1, BLOCK_FRAMES - 1);
	uint64_t hash = 1;

	for (unsigned i = 0; i < count; i++)
		hash = hash_mix(hash, frames[i]);
	spin_lock_take(&known.lock);
	struct allocation *item = NULL;
	/* The first one is no allocation: its number stands for none. */
	for (unsigned i = 0; i < 64 && item == NULL; i++) {
		struct allocation *at = &known.items[1 + (hash + i) % (HEAP_MOST_ALLOCATIONS - 1)];
		if (at->hash != hash && at->hash != 0)
			continue;
		item = at;
	}
	if (item != NULL && item->hash == 0) {
		memcpy(item->frames, frames, sizeof frames);
		item->is_apart = set_apart_has(caller);
		item->number = (uint32_t)(item - known.items);
		item->hash = hash;
	}
	spin_lock_give(&known.lock);
	return item;
}

static _Atomic uint32_t *entry_at(uintptr_t address)
{
	return &entries[(address & ((UINT64_C(1) << SPACE_BITS) - 1)) >> UNIT_SHIFT];
}

/* Ends what was known of blocks in the memory: the pages of large blocks are given back. */
static void clear(uintptr_t start, size_t size)
{
	const uintptr_t page = 4096;
	const uintptr_t from = (uintptr_t)entry_at(start),
			to = (uintptr_t)entry_at(start + size + (1 << UNIT_SHIFT) - 1);
	const uintptr_t first = (from + page - 1) & -page, last = to & -page;

	if (last < first + page) {
		memset((void *)from, 0, to - from);
		return;
	}
	memset((void *)from, 0, first - from);
	madvise((void *)first, last - first, MADV_DONTNEED);
	memset((void *)last, 0, to - last);
}

static void add_large(uintptr_t start, size_t size, const struct allocation *allocation)
{
	spin_lock_take(&known.lock);
	struct heap_block *block = &known.large[known.large_next % MOST_LARGE];
	for (size_t i = 0; i < MOST_LARGE && i < known.large_next; i++)
		if (known.large[i].start == start)
			block = &known.large[i];
	if (block == &known.large[known.large_next % MOST_LARGE])
		known.large_next++;
	*block = (struct heap_block){start, size, allocation};
	spin_lock_give(&known.lock);
}

void heap_block_begin(uintptr_t start, size_t size, const struct allocation *allocation)
{
	const size_t units = (size + (1 << UNIT_SHIFT) - 1) >> UNIT_SHIFT;
	const uint32_t number = allocation != NULL ? allocation->number : 0;

	if (entries == NULL)
		return;
	clear(start, size);
	if (units > LARGEST_SMALL)
		add_large(start, size, allocation);
	store_relaxed(entry_at(start),
	    number << SIZE_BITS |
		(units > LARGEST_SMALL ? LARGE_SIZE : (uint32_t)(units == 0 ? 1 : units)));
}

/* The large block that contains the address; without one the block stays as it is. */
static void find_large(uintptr_t address, struct heap_block *block)
{
	spin_lock_take(&known.lock);
	for (size_t i = 0; i < MOST_LARGE && i < known.large_next; i++)
		if (address - known.large[i].start < known.large[i].size)
			*block = known.large[i];
	spin_lock_give(&known.lock);
}

void heap_block_find(uintptr_t address, struct heap_block *block)
{
	const uintptr_t unit = (uintptr_t)1 << UNIT_SHIFT;
	uintptr_t at = address & -unit;

	*block = (struct heap_block){0};
	if (entries == NULL)
		return;
	for (size_t i = 0; i <= LARGEST_SMALL && at >= unit; i++, at -= unit) {
		const uint32_t entry = load_relaxed(entry_at(at));
		const uint32_t units = entry & LARGE_SIZE;
		if (entry == 0)
			continue;
		if (units != LARGE_SIZE && address < at + ((uintptr_t)units << UNIT_SHIFT))
			*block = (struct heap_block){
			    at, (size_t)units << UNIT_SHIFT, &known.items[entry >> SIZE_BITS]};
		break;
	}
	if (block->size == 0)
		find_large(address, block);
}
