/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic constructs with any operation, which the program passes as a function, and with compare
 * and exchange; and the pair of calls around code that none of the entry points can do.
 */
#include "kmp-atomic.h"

#include <string.h>

/* *result = *x operation *y */
typedef void operation_fn(void *result, void *x, void *y);

LONE_ENTRY(void, __kmpc_atomic_start, void)
{
	ATOMIC_LOCK();
}

LONE_ENTRY(void, __kmpc_atomic_end, void)
{
	ATOMIC_UNLOCK();
}

/* An operation of the program under the mutex. `bytes` is constant in all calls. */
#define OPERATION_LOCKED(bytes)                                                                    \
	LONE_ENTRY(void, __kmpc_atomic_##bytes, const struct kmp_ident *ident, int32_t gtid,       \
	    void *place, void *y, operation_fn *operation)                                         \
	{                                                                                          \
		KMP_UNUSED();                                                                      \
		ATOMIC_LOCK();                                                                     \
		operation(place, place, y);                                                        \
		ATOMIC_UNLOCK();                                                                   \
	}

OPERATION_LOCKED(10)
OPERATION_LOCKED(16)
OPERATION_LOCKED(20)
OPERATION_LOCKED(32)

#define OPERATION(bytes, WORD)                                                                     \
	LONE_ENTRY(void, __kmpc_atomic_##bytes, const struct kmp_ident *ident, int32_t gtid,       \
	    WORD *place, void *y, operation_fn *operation)                                         \
	{                                                                                          \
		_Atomic WORD *word = (_Atomic WORD *)place;                                        \
		WORD now, next;                                                                    \
		KMP_UNUSED();                                                                      \
		if (ATOMIC_IS_SPLIT(place, sizeof(WORD))) {                                        \
			ATOMIC_LOCK();                                                             \
			operation(place, place, y);                                                \
			ATOMIC_UNLOCK();                                                           \
			return;                                                                    \
		}                                                                                  \
		now = load_relaxed(word);                                                          \
		do {                                                                               \
			WORD x = now;                                                              \
			operation(&next, &x, y);                                                   \
		} while (!cas_sequential(word, &now, next));                                       \
	}

OPERATION(1, uint8_t)
OPERATION(2, uint16_t)
OPERATION(4, uint32_t)
OPERATION(8, uint64_t)

/*
 * Sets x to `desired` if it has the value `expected`. bool_ returns whether it had that value, val_
 * returns the value that it had. The forms with `captured` store the value that x has afterwards;
 * bool_ stores it only if it returns false.
 */
#define COMPARE(bytes, WORD)                                                                       \
	ATOMIC(bool, bool, bytes##_cas, _Atomic WORD *x, WORD expected, WORD desired)              \
	{                                                                                          \
		KMP_UNUSED();                                                                      \
		return cas_sequential(x, &expected, desired);                                      \
	}                                                                                          \
	ATOMIC(WORD, val, bytes##_cas, _Atomic WORD *x, WORD expected, WORD desired)               \
	{                                                                                          \
		KMP_UNUSED();                                                                      \
		(void)cas_sequential(x, &expected, desired);                                       \
		return expected;                                                                   \
	}                                                                                          \
	ATOMIC(bool, bool, bytes##_cas_cpt, _Atomic WORD *x, WORD expected, WORD desired,          \
	    WORD *captured)                                                                        \
	{                                                                                          \
		KMP_UNUSED();                                                                      \
		if (cas_sequential(x, &expected, desired))                                         \
			return true;                                                               \
		*captured = expected;                                                              \
		return false;                                                                      \
	}                                                                                          \
	ATOMIC(WORD, val, bytes##_cas_cpt, _Atomic WORD *x, WORD expected, WORD desired,           \
	    WORD *captured)                                                                        \
	{                                                                                          \
		KMP_UNUSED();                                                                      \
		*captured = cas_sequential(x, &expected, desired) ? desired : expected;            \
		return expected;                                                                   \
	}

COMPARE(1, uint8_t)
COMPARE(2, uint16_t)
COMPARE(4, uint32_t)
COMPARE(8, uint64_t)
