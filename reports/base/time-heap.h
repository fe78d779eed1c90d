/* SPDX-License-Identifier: BSD-3-Clause */
/* A binary heap of streams ordered by time, for merging: the earliest stream is always first. */
#ifndef TIME_HEAP_H
#define TIME_HEAP_H

#include "shared/precondition.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next element of a stream. For equal times, the smaller place comes first. */
struct time_head {
	uint64_t time;
	uint32_t place;
	uint32_t stream; /* the owner's index of the stream */
};

static inline bool time_head_is_before(const struct time_head *one, const struct time_head *other)
{
	return one->time != other->time ? one->time < other->time : one->place < other->place;
}

/* Moves an element down to its place; all others must be in order. */
static inline void time_heap_sift(struct time_head *heap, size_t count, size_t at)
{
	CHECK(at < count, "the element is in the heap");

	struct time_head moved = heap[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= count)
			break;
		if (child + 1 < count && time_head_is_before(&heap[child + 1], &heap[child]))
			child++;
		if (time_head_is_before(&moved, &heap[child]))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

/* Moves the last of `count` elements up to its place; all others must be in order. */
static inline void time_heap_add(struct time_head *heap, size_t count)
{
	CHECK(count > 0, "the element is in the heap");

	struct time_head moved = heap[count - 1];
	size_t at = count - 1;

	for (; at > 0 && time_head_is_before(&moved, &heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = moved;
}

/* Orders the whole heap. */
static inline void time_heap_order(struct time_head *heap, size_t count)
{
	for (size_t at = count / 2; at-- > 0;)
		time_heap_sift(heap, count, at);
}

#endif
