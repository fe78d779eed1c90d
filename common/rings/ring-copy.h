/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies a segment of a ring while the program goes on writing it: shared/trace-log.h says who
 * stores what, and in which order.
 */
#ifndef RING_COPY_H
#define RING_COPY_H

#include "shared/trace-log.h"

#include <stdbool.h>
#include <stddef.h>

static inline uint64_t ring_load_acquire(const uint64_t *place)
{
	return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

/*
 * Copies the words of a segment. False: it is not complete, or was overwritten meanwhile; the copy
 * is then of no use.
 *
 * The first load of the number is an acquire: it pairs with the owner's release of the number, so
 * that `start` and the state are those of this content. Each word is an acquire, which pairs with
 * the owner's release of the word: after a word of a later content, the last load of the number
 * sees the 0 that was stored before that word, or what came after. Words are copied in ascending
 * order, because the owner stores the payload of a record before its header. The last load of the
 * number is not before the loads of the words, which are acquires.
 */
static inline bool ring_copy_segment(uint64_t *copy, const uint64_t *segment, size_t words)
{
	uint64_t number = ring_load_acquire(segment);

	if (number == 0)
		return false;
	for (size_t i = 1; i < words; i++)
		copy[i] = ring_load_acquire(segment + i);
	copy[0] = ring_load_acquire(segment);
	return copy[0] == number;
}

#endif
