/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers in few bytes when they are small: seven bits a byte from the lowest, the eighth saying
 * that more follow; NUMBER_BYTES at most. Of signed ones the lowest bit says which sign, so that
 * small differences are short whichever way they go.
 */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdint.h>

enum { NUMBER_BYTES = 10 };

/* Returns where the next one goes. */
static inline unsigned char *number_put(unsigned char *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (unsigned char)(number | 0x80);
	*at++ = (unsigned char)number;
	return at;
}

/* Moves *at behind the number. */
static inline uint64_t number_get(const unsigned char **at)
{
	uint64_t number = 0;

	for (unsigned shift = 0;; shift += 7) {
		unsigned char byte = *(*at)++;

		number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return number;
	}
}

/* The difference between two numbers, modulo 2^64, as one that is small when they are near. */
static inline uint64_t number_of_step(uint64_t from, uint64_t to)
{
	uint64_t step = to - from;

	return step >> 63 ? ~step << 1 | 1 : step << 1;
}

static inline uint64_t number_step(uint64_t from, uint64_t number)
{
	return from + (number & 1 ? ~(number >> 1) : number >> 1);
}

#endif
