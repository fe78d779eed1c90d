/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of numbers by numbers. What a log numbers it numbers densely, but a damaged log may have
 * any number: memory goes by how many there are, not by how large they are.
 */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stddef.h>
#include <stdint.h>

struct convert_numbers {
	struct convert_number {
		uint64_t key; /* number + 1; 0: free */
		uint64_t value;
	} * slot;
	size_t count, slots; /* slots: a power of two, or 0 */
};

/* The number's value, or NULL for one that was never made. */
uint64_t *convert_numbers_find(const struct convert_numbers *numbers, uint64_t number);

/*
 * The same, made with the value 0 if need be; NULL when memory ran out. Values move when one is
 * made.
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
