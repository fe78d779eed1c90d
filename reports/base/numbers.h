/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Encodes small numbers in few bytes: seven bits per byte, lowest first; the eighth bit means that
 * more bytes follow; at most NUMBER_BYTES. For signed numbers the lowest bit is the sign, so that
 * small differences in either direction are short.
 */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdint.h>

enum { NUMBER_BYTES = 10 };

/* Returns the place after the number. */
static inline unsigned char *number_put(unsigned char *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (unsigned char)(number | 0x80);
	*at++ = (unsigned char)number;
	return at;
}

/* Moves *at past the number. */
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

/* Encodes the difference of two numbers, modulo 2^64, so that it is small if they are close. */
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
