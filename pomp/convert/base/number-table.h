/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table from numbers to numbers. A log numbers things densely, but a damaged log may contain any
 * number: the memory depends on how many there are, not on how large they are.
 */
#ifndef NUMBER_TABLE_H
#define NUMBER_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct convert_numbers {
	struct convert_number {
		uint64_t key; /* number + 1; 0: free */
		uint64_t value;
	} * slot;
	size_t count, slots; /* slots: a power of two, or 0 */
};

/* Returns the number's value, or NULL if it was never added. */
uint64_t *convert_numbers_find(const struct convert_numbers *numbers, uint64_t number);

/*
 * The same, but adds a missing number with the value 0; NULL when memory ran out. Values move when
 * a number is added.
 */
uint64_t *convert_numbers_make(struct convert_numbers *numbers, uint64_t number);

void convert_numbers_free(struct convert_numbers *numbers);

/* Mixes all bits (the finaliser of splitmix64). */
static inline uint64_t convert_mix(uint64_t value)
{
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

#endif
