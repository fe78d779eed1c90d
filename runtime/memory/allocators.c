/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocators and the memory they give. Each piece of memory is preceded by a header that names its
 * allocator, so that omp_free() needs no hint.
 */
#include "allocators.h"

#include <stdlib.h>
#include <string.h>

#include "atomics.h"
#include "message.h"
#include "pinned.h"
#include "shared/precondition.h"

/* Directly precedes the memory that the program sees. */
struct header {
	void *base;   /* what malloc() or rt_pinned_take() gave */
	size_t taken; /* bytes from base on, which count for the pool */
	size_t size;  /* bytes requested */
	omp_allocator_handle_t allocator;
};

/* The alignment of malloc(); a header preserves it. */
enum { NATURAL_ALIGNMENT = _Alignof(max_align_t) };
_Static_assert(sizeof(struct header) % NATURAL_ALIGNMENT == 0, "memory stays aligned");

/* Limit for chains of fallback allocators, which the program can make circular. */
enum { LONGEST_CHAIN = 64 };

static struct header *header_of(const void *memory)
{
	return (struct header *)memory - 1;
}

static bool is_pinned(omp_allocator_handle_t handle)
{
	const struct rt_allocator *allocator = rt_allocator_get(handle);

	return allocator ? allocator->pinned : handle == ompx_gnu_pinned_mem_alloc;
}

/* Counts bytes as taken from the pool, unless the pool has fewer. */
static bool pool_take(struct rt_allocator *allocator, size_t bytes)
{
	uintptr_t used = load_relaxed(&allocator->used);

	do {
		if (bytes > allocator->pool_size || used > allocator->pool_size - bytes)
			return false;
	} while (!cas_relaxed(&allocator->used, &used, used + bytes));
	return true;
}

static void pool_give(struct rt_allocator *allocator, size_t bytes)
{
	sub_relaxed(&allocator->used, bytes);
}

/* The layout of a piece of memory in the block that the system gives for it. */
struct layout {
	size_t alignment;
	size_t taken; /* for the header, the memory, and room to align it */
};

/* False if the sum is larger than any address. */
static bool find_layout(
    struct layout *layout, size_t alignment, size_t size, const struct rt_allocator *allocator)
{
	size_t slack;

	if (allocator && allocator->alignment > alignment)
		alignment = allocator->alignment;
	if (alignment < NATURAL_ALIGNMENT)
		alignment = NATURAL_ALIGNMENT;
	slack = alignment - NATURAL_ALIGNMENT;
	layout->alignment = alignment;
	return !__builtin_add_overflow(size, sizeof(struct header), &layout->taken) &&
	       !__builtin_add_overflow(layout->taken, slack, &layout->taken);
}

/* Where the memory begins in the block that starts at base; its header precedes it. */
static void *place_memory(void *base, const struct layout *layout)
{
	uintptr_t memory = (uintptr_t)base + sizeof(struct header);

	return (void *)((memory + layout->alignment - 1) & ~((uintptr_t)layout->alignment - 1));
}

/* One attempt with one allocator, without its fallback. */
static void *try_allocate(size_t alignment, size_t size, bool zeroed, omp_allocator_handle_t handle)
{
	struct rt_allocator *allocator = rt_allocator_get(handle);
	struct layout layout;
	void *base;

	if (!find_layout(&layout, alignment, size, allocator))
		return NULL;
	if (allocator && !pool_take(allocator, layout.taken))
		return NULL;
	if (!is_pinned(handle))
		base = zeroed ? calloc(1, layout.taken) : malloc(layout.taken);
	else if ((base = rt_pinned_take(layout.taken)) != NULL && zeroed)
		memset(base, 0, layout.taken);
	if (!base) {
		if (allocator)
			pool_give(allocator, layout.taken);
		return NULL;
	}
	void *memory = place_memory(base, &layout);
	*header_of(memory) = (struct header){base, layout.taken, size, handle};
	return memory;
}

/*
 * Only the difference counts for the pool. If the system moves the block, the memory in it may lose
 * its alignment; then the bytes move within the block.
 */
static void *resize(void *memory, size_t size)
{
	struct header header = *header_of(memory);
	struct rt_allocator *allocator = rt_allocator_get(header.allocator);
	size_t offset = (size_t)((char *)memory - (char *)header.base);
	size_t kept = size < header.size ? size : header.size;
	struct layout layout;

	if (is_pinned(header.allocator) || !find_layout(&layout, 1, size, allocator) ||
	    offset + kept > layout.taken)
		return NULL;
	if (allocator && layout.taken > header.taken &&
	    !pool_take(allocator, layout.taken - header.taken))
		return NULL;
	void *base = realloc(header.base, layout.taken);
	if (!base) {
		if (allocator && layout.taken > header.taken)
			pool_give(allocator, layout.taken - header.taken);
		return NULL;
	}
	if (allocator && layout.taken < header.taken)
		pool_give(allocator, header.taken - layout.taken);
	memory = place_memory(base, &layout);
	if ((char *)memory != (char *)base + offset)
		memmove(memory, (char *)base + offset, kept);
	*header_of(memory) = (struct header){base, layout.taken, size, header.allocator};
	return memory;
}

/* The allocator to try after this one has failed, or omp_null_allocator. May end the program. */
static omp_allocator_handle_t fallback_of(omp_allocator_handle_t handle, size_t size)
{
	const struct rt_allocator *allocator = rt_allocator_get(handle);

	if (handle == omp_default_mem_alloc || handle == ompx_gnu_pinned_mem_alloc)
		return omp_null_allocator;
	if (!allocator)
		return omp_default_mem_alloc;
	switch (allocator->fallback) {
	case omp_atv_default_mem_fb:
		return omp_default_mem_alloc;
	case omp_atv_allocator_fb:
		return allocator->fallback_allocator;
	case omp_atv_abort_fb:
		rt_fatal(
		    "out of memory: an allocator with the trait abort_fb has no %zu bytes left; "
		    "the program ends here",
		    size);
	default:
		return omp_null_allocator;
	}
}

void *rt_memory_allocate(
    size_t alignment, size_t size, bool zeroed, omp_allocator_handle_t allocator)
{
	CHECK((alignment & (alignment - 1)) == 0, "the alignment is a power of two");
	if (size == 0)
		return NULL;
	for (int i = 0; i < LONGEST_CHAIN && allocator != omp_null_allocator; i++) {
		void *memory = try_allocate(alignment, size, zeroed, allocator);
		if (memory)
			return memory;
		allocator = fallback_of(allocator, size);
	}
	return NULL;
}

void *rt_memory_reallocate(void *memory, size_t size, omp_allocator_handle_t allocator)
{
	CHECK(memory != NULL && size > 0, "there is memory before and after");

	struct header old = *header_of(memory);

	for (int i = 0; i < LONGEST_CHAIN && allocator != omp_null_allocator; i++) {
		void *moved = allocator == old.allocator ? resize(memory, size) : NULL;
		if (moved)
			return moved;
		moved = try_allocate(1, size, false, allocator);
		if (moved) {
			memcpy(moved, memory, old.size < size ? old.size : size);
			rt_memory_free(memory);
			return moved;
		}
		allocator = fallback_of(allocator, size);
	}
	return NULL;
}

void rt_memory_free(void *memory)
{
	if (!memory)
		return;
	struct header header = *header_of(memory);
	struct rt_allocator *allocator = rt_allocator_get(header.allocator);
	if (allocator)
		pool_give(allocator, header.taken);
	if (is_pinned(header.allocator))
		rt_pinned_give(header.base, header.taken);
	else
		free(header.base);
}

omp_allocator_handle_t rt_memory_allocator(const void *memory)
{
	CHECK(memory != NULL, "there is memory");
	return header_of(memory)->allocator;
}

/* Stores one trait; false for values that no allocator here can have. */
static bool set_trait(struct rt_allocator *allocator, omp_alloctrait_key_t key, uintptr_t value)
{
	bool is_default = value == omp_atv_default;

	switch (key) {
	case omp_atk_alignment:
		allocator->alignment = is_default ? 1 : value;
		return is_default || (value > 0 && (value & (value - 1)) == 0);
	case omp_atk_pool_size:
		allocator->pool_size = value;
		return true;
	case omp_atk_fallback:
		allocator->fallback = is_default ? omp_atv_default_mem_fb : value;
		return is_default ||
		       (value >= omp_atv_default_mem_fb && value <= omp_atv_allocator_fb);
	case omp_atk_fb_data:
		allocator->fallback_allocator = value;
		return true;
	case omp_atk_pinned:
		allocator->pinned = value == omp_atv_true;
		return is_default || value <= omp_atv_true;
	/* These are hints and promises, which ordinary memory and a lock-free pool all fulfil. */
	case omp_atk_sync_hint:
		return is_default || (value >= omp_atv_contended && value <= omp_atv_private);
	case omp_atk_access:
		return is_default || (value >= omp_atv_all && value <= omp_atv_cgroup);
	case omp_atk_partition:
		return is_default || (value >= omp_atv_environment && value <= omp_atv_interleaved);
	}
	return false;
}

omp_allocator_handle_t rt_allocator_new(
    omp_memspace_handle_t space, int count, const omp_alloctrait_t traits[])
{
	if (space > omp_low_lat_mem_space && space != ompx_gnu_managed_mem_space)
		return omp_null_allocator;
	struct rt_allocator *allocator = calloc(1, sizeof(*allocator));
	if (!allocator)
		return omp_null_allocator;
	allocator->space = space;
	allocator->alignment = 1;
	allocator->pool_size = UINTPTR_MAX;
	allocator->fallback = omp_atv_default_mem_fb;
	for (int i = 0; i < count; i++)
		if (!set_trait(allocator, traits[i].key, traits[i].value)) {
			free(allocator);
			return omp_null_allocator;
		}
	return (omp_allocator_handle_t)allocator;
}

void rt_allocator_free(omp_allocator_handle_t allocator)
{
	free(rt_allocator_get(allocator));
}
