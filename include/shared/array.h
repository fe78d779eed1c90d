/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Growable arrays: a pointer to the items, their number and the capacity, each a variable or field
 * of its owner. All zero is an empty array; free() of the pointer releases it.
 *
 * Capacity grows by at least half. A failure is returned and never fatal: memory ran out, or the
 * size in bytes does not fit into a size_t. The items, their number and the capacity are then
 * unchanged. New room is not initialised.
 *
 *   struct names {
 *   	char **name;
 *   	size_t count, capacity;
 *   };
 *   if (!ARRAY_PUSH(names->name, names->count, names->capacity, copy))
 *   	...
 *   if (ARRAY_ROOM(text, length, capacity, more))
 *   	memcpy(text + length, from, more);
 */
#ifndef SHARED_ARRAY_H
#define SHARED_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The least capacity of the first allocation. */
#define ARRAY_FIRST 8

/*
 * Makes room for `more` items of item_size bytes after the first `count`. `items` is the address of
 * the pointer, whatever the pointer's type: hence its bytes are copied.
 */
static inline bool array_make_room(
    void *items, size_t *capacity, size_t count, size_t more, size_t item_size)
{
	size_t needed, wanted, bytes;
	void *old, *grown;

	if (__builtin_add_overflow(count, more, &needed))
		return false;
	if (needed <= *capacity)
		return true;
	if (__builtin_add_overflow(*capacity, *capacity / 2, &wanted) || wanted < needed)
		wanted = needed;
	if (wanted < ARRAY_FIRST)
		wanted = ARRAY_FIRST;
	if (__builtin_mul_overflow(wanted, item_size, &bytes))
		return false;
	memcpy(&old, items, sizeof(old));
	grown = realloc(old, bytes);
	if (grown == NULL)
		return false;
	memcpy(items, &grown, sizeof(grown));
	*capacity = wanted;
	// cppcheck-suppress memleak ; the owner has it, through the copy of its address
	return true;
}

/* Clang's analyzer does not follow the copied bytes; this tells it that items is not NULL. */
#ifdef __clang_analyzer__
#define ARRAY_IS_THERE(items) ((items) != NULL)
#else
#define ARRAY_IS_THERE(items) true
#endif

/*
 * Makes room for `more` items after the first `count`; true if there is room. `capacity` is a
 * size_t.
 */
#define ARRAY_ROOM(items, count, capacity, more)                                                   \
	(array_make_room((void *)&(items), &(capacity), (count), (more), sizeof(*(items))) &&      \
	    ARRAY_IS_THERE(items))

/* Appends an item and counts it; false if there was no room. */
#define ARRAY_PUSH(items, count, capacity, item)                                                   \
	(ARRAY_ROOM(items, count, capacity, 1) && ((items)[count] = (item), (count)++, true))

#endif
