/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic constructs on floating-point and complex numbers: those of up to 8 bytes as words of the
 * processor, wider ones under the mutex. A captured complex number of 8 bytes is not returned but
 * stored at the address in an additional argument.
 */
#include "kmp-atomic.h"

typedef float _Complex complex_4;
typedef double _Complex complex_8;
typedef long double _Complex complex_10;

/* The ways of an update, by the size of the word. */
#define BY_4(T, formula) ATOMIC_BY_EXCHANGE(T, uint32_t, formula)
#define BY_8(T, formula) ATOMIC_BY_EXCHANGE(T, uint64_t, formula)

#define ARITHMETIC(type, T, BY)                                                                    \
	ATOMIC_BOTH(type, add, T, BY, x + y)                                                       \
	ATOMIC_BOTH(type, sub, T, BY, x - y)                                                       \
	ATOMIC_BOTH(type, mul, T, BY, x *y)                                                        \
	ATOMIC_BOTH(type, div, T, BY, x / y)                                                       \
	ATOMIC_BOTH_REVERSED(type, sub, T, BY, y - x)                                              \
	ATOMIC_BOTH_REVERSED(type, div, T, BY, y / x)

#define EXTREMES(type, T, BY)                                                                      \
	ATOMIC_BOTH(type, max, T, BY, x < y ? y : x)                                               \
	ATOMIC_BOTH(type, min, T, BY, x > y ? y : x)

#define WITH_WIDER(type, T, suffix, Y, BY)                                                         \
	ATOMIC_UPDATE(type, add_##suffix, T, Y, BY, x + y)                                         \
	ATOMIC_UPDATE(type, sub_##suffix, T, Y, BY, x - y)                                         \
	ATOMIC_UPDATE(type, mul_##suffix, T, Y, BY, x *y)                                          \
	ATOMIC_UPDATE(type, div_##suffix, T, Y, BY, x / y)

ARITHMETIC(float4, float, BY_4)
EXTREMES(float4, float, BY_4)
WITH_WIDER(float4, float, float8, double, BY_4)
ATOMIC_READ(float4, float, uint32_t)
ATOMIC_WRITE_AND_EXCHANGE(float4, float, uint32_t)

ARITHMETIC(float8, double, BY_8)
EXTREMES(float8, double, BY_8)
ATOMIC_READ(float8, double, uint64_t)
ATOMIC_WRITE_AND_EXCHANGE(float8, double, uint64_t)

ARITHMETIC(float10, long double, ATOMIC_BY_LOCK)
EXTREMES(float10, long double, ATOMIC_BY_LOCK)
ATOMIC_ACCESS_LOCKED(float10, long double)

ARITHMETIC(cmplx8, complex_8, ATOMIC_BY_LOCK)
ATOMIC_ACCESS_LOCKED(cmplx8, complex_8)

ARITHMETIC(cmplx10, complex_10, ATOMIC_BY_LOCK)
ATOMIC_ACCESS_LOCKED(cmplx10, complex_10)

#define COMPLEX_4(operation, capture, formula)                                                     \
	ATOMIC_UPDATE(cmplx4, operation, complex_4, complex_4, BY_8, formula)                      \
	ATOMIC(void, cmplx4, capture, complex_4 *place, complex_4 y, complex_4 *captured,          \
	    int32_t new)                                                                           \
	{                                                                                          \
		KMP_UNUSED();                                                                      \
		BY_8(complex_4, formula);                                                          \
		*captured = new ? after : x;                                                       \
	}

COMPLEX_4(add, add_cpt, x + y)
COMPLEX_4(sub, sub_cpt, x - y)
COMPLEX_4(mul, mul_cpt, x *y)
COMPLEX_4(div, div_cpt, x / y)
COMPLEX_4(sub_rev, sub_cpt_rev, y - x)
COMPLEX_4(div_rev, div_cpt_rev, y / x)
WITH_WIDER(cmplx4, complex_4, cmplx8, complex_8, BY_8)
ATOMIC_READ(cmplx4, complex_4, uint64_t)
ATOMIC_UPDATE(cmplx4, wr, complex_4, complex_4, BY_8, y)
ATOMIC(void, cmplx4, swp, complex_4 *place, complex_4 y, complex_4 *captured)
{
	KMP_UNUSED();
	BY_8(complex_4, y);
	ATOMIC_MAYBE_UNUSED();
	*captured = x;
}
