/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blocks of the heap, by their addresses, with the calls that have allocated them. A block that
 * was freed stays known until another one is there. For each 16 bytes of memory there are four in a
 * reserved part of the address space, of which only those exist where blocks begin.
 */
#ifndef SHARING_HEAP_BLOCKS_H
#define SHARING_HEAP_BLOCKS_H

#include "noting-thread.h"

#include <stddef.h>

enum { BLOCK_FRAMES = 6, HEAP_MOST_ALLOCATIONS = 1 << 14 };

/* A call that allocates, with what was called around it; its frames are return addresses. */
struct allocation {
	uint64_t hash;
	uintptr_t frames[BLOCK_FRAMES]; /* 0 behind the last */
	bool is_apart;                  /* its blocks get lines of their own */
	uint32_t number;                /* below HEAP_MOST_ALLOCATIONS; never 0 */
};

struct heap_block {
	uintptr_t start;
	size_t size; /* 0: there is no block */
	const struct allocation *allocation;
};

/* Are blocks noted? Not before the begin, in a child of fork(), or without the variable. */
extern _Atomic bool heap_is_noted;

/* Reserves the address space; false: it cannot be had, and no block is known. */
bool heap_blocks_begin(void);

/* The allocation by a call with this return address; NULL: there are too many. */
const struct allocation *heap_allocation(struct noting_thread *self, uintptr_t caller);

/* The block begins at the address. */
void heap_block_begin(uintptr_t start, size_t size, const struct allocation *allocation);

/* Finds the block that contains the address. */
void heap_block_find(uintptr_t address, struct heap_block *block);

#endif
