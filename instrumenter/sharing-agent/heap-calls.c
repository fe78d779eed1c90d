/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program's calls that allocate memory go through these, which call the next ones of their
 * name and note where the block was allocated. The program's layout of memory stays as it is,
 * except for blocks that are to be set apart. Looking up the next functions may allocate itself:
 * that memory is of a small piece that is never freed.
 */
#include "first-touch.h"
#include "heap-blocks.h"
#include "next.h"
#include "noted-lines.h"

#include "shared/processor.h"

#include <errno.h>
#include <malloc.h>
#include <string.h>

#define PUBLIC __attribute__((visibility("default")))
#define PLACE  ((uintptr_t)__builtin_return_address(0))

enum { EARLY_BYTES = 64 << 10, EARLY_ALIGNMENT = 16 };

static _Alignas(EARLY_ALIGNMENT) char early_bytes[EARLY_BYTES];
static _Atomic size_t early_used;
static _Thread_local bool is_looking_up PROCESSOR_THREAD_LOCAL;

/* The functions of the program's allocator. */
static struct {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	void *(*memalign)(size_t, size_t);
	size_t (*usable)(void *);
} next;

static void *take_early(size_t size)
{
	const size_t room = (size + EARLY_ALIGNMENT - 1) & -(size_t)EARLY_ALIGNMENT;
	const size_t at = add_relaxed(&early_used, room);

	return at + room <= EARLY_BYTES ? early_bytes + at : NULL;
}

static bool is_early(const void *block)
{
	return (uintptr_t)block - (uintptr_t)early_bytes < EARLY_BYTES;
}

/* False while the functions are being looked up. */
static bool find_next(void)
{
	if (next.usable != NULL)
		return true;
	if (is_looking_up)
		return false;
	is_looking_up = true;
	next_find((void **)&next.malloc, "malloc");
	next_find((void **)&next.calloc, "calloc");
	next_find((void **)&next.realloc, "realloc");
	next_find((void **)&next.free, "free");
	next_find((void **)&next.memalign, "memalign");
	next_find((void **)&next.usable, "malloc_usable_size");
	is_looking_up = false;
	return true;
}

/* Who called the allocating function, or operator new. */
static const struct allocation *allocation_of(uintptr_t caller)
{
	struct noting_thread *self = &noting_self;
	const uintptr_t outer = (uintptr_t)self->allocates;

	self->allocates = NULL;
	return heap_allocation(self, outer != 0 ? outer : caller);
}

static void *begin_block(void *block, size_t size, const struct allocation *allocation)
{
	if (block != NULL) {
		noted_lines_forget((uintptr_t)block, size);
		heap_block_begin((uintptr_t)block, size, allocation);
		first_touch_block_begin((uintptr_t)block, next.usable(block), allocation);
	}
	return block;
}

/* Allocates, with lines of its own if the block is to be set apart. */
static void *allocate(size_t alignment, size_t size, bool is_zero, uintptr_t caller)
{
	if (!load_relaxed(&heap_is_noted))
		return alignment > 0 ? next.memalign(alignment, size)
		       : is_zero     ? next.calloc(1, size)
				     : next.malloc(size);
	const struct allocation *allocation = allocation_of(caller);
	const bool is_apart = allocation != NULL && allocation->is_apart;
	size_t room = size;
	void *block;

	if (is_apart && size <= SIZE_MAX / 2) {
		room = (size + PROCESSOR_APART) / PROCESSOR_APART * PROCESSOR_APART;
		alignment = alignment < PROCESSOR_APART ? PROCESSOR_APART : alignment;
	}
	if (alignment > 0)
		block = next.memalign(alignment, room);
	else
		block = is_zero ? next.calloc(1, size) : next.malloc(size);
	if (block != NULL && alignment > 0 && is_zero)
		memset(block, 0, size);
	return begin_block(block, size, allocation);
}

PUBLIC void *malloc(size_t size)
{
	return find_next() ? allocate(0, size, false, PLACE) : take_early(size);
}

PUBLIC void *calloc(size_t count, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(count, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return find_next() ? allocate(0, all, true, PLACE) : take_early(all);
}

PUBLIC void free(void *block)
{
	if (block == NULL || is_early(block) || !find_next())
		return;
	if (load_relaxed(&heap_is_noted)) {
		noted_lines_forget((uintptr_t)block, next.usable(block));
		first_touch_block_end((uintptr_t)block, next.usable(block));
	}
	next.free(block);
}

/* Blocks that are set apart move, as their alignment would not stay. */
PUBLIC void *realloc(void *block, size_t size)
{
	if (!find_next())
		return take_early(size);
	if (block == NULL)
		return allocate(0, size, false, PLACE);
	if (!is_early(block) && !load_relaxed(&heap_is_noted))
		return next.realloc(block, size);
	const struct allocation *allocation = allocation_of(PLACE);
	if (!is_early(block) && (allocation == NULL || !allocation->is_apart || size == 0))
		return begin_block(next.realloc(block, size), size, allocation);
	void *moved = allocate(0, size, false, PLACE);
	if (moved != NULL) {
		const size_t had = is_early(block) ? size : next.usable(block);
		memcpy(moved, block, had < size ? had : size);
		free(block);
	}
	return moved;
}

PUBLIC void *memalign(size_t alignment, size_t size)
{
	return find_next() ? allocate(alignment, size, false, PLACE) : NULL;
}

PUBLIC void *aligned_alloc(size_t alignment, size_t size)
{
	return find_next() ? allocate(alignment, size, false, PLACE) : NULL;
}

PUBLIC int posix_memalign(void **block, size_t alignment, size_t size)
{
	if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
		return EINVAL;
	void *taken = find_next() ? allocate(alignment, size, false, PLACE) : NULL;
	if (taken == NULL)
		return ENOMEM;
	*block = taken;
	return 0;
}

/*
 * operator new of C++, by its names: the library's own calls malloc(), and may throw through this.
 * The types of further parameters (std::nothrow_t, std::align_val_t) are passed as pointers are.
 */
#define OPERATOR_NEW(name)                                                                         \
	PUBLIC void *name(size_t size, void *second, void *third);                                 \
	PUBLIC void *name(size_t size, void *second, void *third)                                  \
	{                                                                                          \
		static void *(*own)(size_t, void *, void *);                                       \
		next_find((void **)&own, #name);                                                   \
		noting_self.allocates = __builtin_return_address(0);                               \
		void *block = own(size, second, third);                                            \
		noting_self.allocates = NULL;                                                      \
		return block;                                                                      \
	}

OPERATOR_NEW(_Znwm)
OPERATOR_NEW(_Znam)
OPERATOR_NEW(_ZnwmRKSt9nothrow_t)
OPERATOR_NEW(_ZnamRKSt9nothrow_t)
OPERATOR_NEW(_ZnwmSt11align_val_t)
OPERATOR_NEW(_ZnamSt11align_val_t)
OPERATOR_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t)
OPERATOR_NEW(_ZnamSt11align_val_tRKSt9nothrow_t)
