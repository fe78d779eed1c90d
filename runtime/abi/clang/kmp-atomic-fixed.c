/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic constructs on integers of 1, 2, 4 and 8 bytes. The table contains the operations, which
 * are those of C and, by eqv and neqv, of Fortran. Overflow wraps around; shifts count modulo the
 * width of the type in which C would shift.
 */
#include "kmp-atomic.h"

/* U is the unsigned type in which C computes, W the object's own. */
#define SHIFT(U, y) ((U)(y) & (8 * sizeof(U) - 1))

/* The operations that differ between signed and unsigned types. */
#define DIVISIONS_AND_SHIFTS(type, T, W, U)                                                        \
	ATOMIC_BOTH(type, div, T, ATOMIC_BY_EXCHANGE, W, x / y)                                    \
	ATOMIC_BOTH_REVERSED(type, div, T, ATOMIC_BY_EXCHANGE, W, y / x)                           \
	ATOMIC_BOTH(type, shr, T, ATOMIC_BY_EXCHANGE, W, x >> SHIFT(U, y))                         \
	ATOMIC_BOTH_REVERSED(type, shr, T, ATOMIC_BY_EXCHANGE, W, y >> SHIFT(U, x))

#define OPERATIONS(type, T, W, U)                                                                  \
	ATOMIC_BOTH(                                                                               \
	    type, add, T, ATOMIC_BY_INSTRUCTION, W, add_sequential(word, (W)y), (U)x + (U)y)       \
	ATOMIC_BOTH(                                                                               \
	    type, sub, T, ATOMIC_BY_INSTRUCTION, W, sub_sequential(word, (W)y), (U)x - (U)y)       \
	ATOMIC_BOTH(type, andb, T, ATOMIC_BY_INSTRUCTION, W, and_sequential(word, (W)y), x &y)     \
	ATOMIC_BOTH(type, orb, T, ATOMIC_BY_INSTRUCTION, W, or_sequential(word, (W)y), x | y)      \
	ATOMIC_BOTH(type, xor, T, ATOMIC_BY_INSTRUCTION, W, xor_sequential(word, (W)y), x ^ y)     \
	ATOMIC_BOTH(type, neqv, T, ATOMIC_BY_INSTRUCTION, W, xor_sequential(word, (W)y), x ^ y)    \
	ATOMIC_BOTH(type, eqv, T, ATOMIC_BY_INSTRUCTION, W, xor_sequential(word, (W)~y), x ^ ~y)   \
	ATOMIC_BOTH_REVERSED(type, sub, T, ATOMIC_BY_EXCHANGE, W, (U)y - (U)x)                     \
	ATOMIC_BOTH(type, mul, T, ATOMIC_BY_EXCHANGE, W, (U)x *(U)y)                               \
	ATOMIC_BOTH(type, andl, T, ATOMIC_BY_EXCHANGE, W, x &&y)                                   \
	ATOMIC_BOTH(type, orl, T, ATOMIC_BY_EXCHANGE, W, x || y)                                   \
	ATOMIC_BOTH(type, max, T, ATOMIC_BY_EXCHANGE, W, x < y ? y : x)                            \
	ATOMIC_BOTH(type, min, T, ATOMIC_BY_EXCHANGE, W, x > y ? y : x)                            \
	ATOMIC_BOTH(type, shl, T, ATOMIC_BY_EXCHANGE, W, (U)x << SHIFT(U, y))                      \
	ATOMIC_BOTH_REVERSED(type, shl, T, ATOMIC_BY_EXCHANGE, W, (U)y << SHIFT(U, x))             \
	DIVISIONS_AND_SHIFTS(type, T, W, U)                                                        \
	ATOMIC_UPDATE(type, mul_float8, T, double, ATOMIC_BY_EXCHANGE, W, (double)x *y)            \
	ATOMIC_UPDATE(type, div_float8, T, double, ATOMIC_BY_EXCHANGE, W, (double)x / y)           \
	ATOMIC_READ(type, T, W)                                                                    \
	ATOMIC_WRITE_AND_EXCHANGE(type, T, W)

OPERATIONS(fixed1, int8_t, uint8_t, uint32_t)
OPERATIONS(fixed2, int16_t, uint16_t, uint32_t)
OPERATIONS(fixed4, int32_t, uint32_t, uint32_t)
OPERATIONS(fixed8, int64_t, uint64_t, uint64_t)
DIVISIONS_AND_SHIFTS(fixed1u, uint8_t, uint8_t, uint32_t)
DIVISIONS_AND_SHIFTS(fixed2u, uint16_t, uint16_t, uint32_t)
DIVISIONS_AND_SHIFTS(fixed4u, uint32_t, uint32_t, uint32_t)
DIVISIONS_AND_SHIFTS(fixed8u, uint64_t, uint64_t, uint64_t)
