/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations of code that was compiled with -fsanitize=thread: each is made here, in the
 * strongest order, and noted as a write of the thread, or as a read. The operations are the
 * compiler's own, because their operands have any type here; those of 16 bytes, which processors
 * need not have, are made under a lock.
 */
#include "noted-lines.h"
#include "spin-lock.h"

#define PUBLIC    __attribute__((visibility("default")))
#define PLACE     ((uintptr_t)__builtin_return_address(0))
#define STRONGEST __ATOMIC_SEQ_CST

typedef unsigned char atomic8;
typedef unsigned short atomic16;
typedef unsigned int atomic32;
typedef unsigned long atomic64;

#define FUNCTION(result, name, parameters)                                                         \
	PUBLIC result name parameters;                                                             \
	PUBLIC result name parameters

#define NOTE(type, writes) note_access((uintptr_t)address, sizeof(type), writes, PLACE)

/* A thread waits for the line when it writes atomically, but not at a plain store. */
static inline void note_atomic(uintptr_t address, size_t size, uintptr_t place)
{
	noting_self.in_atomic = true;
	note_access(address, size, true, place);
	noting_self.in_atomic = false;
}

#define NOTE_ATOMIC(type) note_atomic((uintptr_t)address, sizeof(type), PLACE)

#define FETCH(type, operation)                                                                     \
	FUNCTION(type, __tsan_##type##_fetch_##operation,                                          \
	    (volatile type * address, type value, int order))                                      \
	{                                                                                          \
		(void)order;                                                                       \
		NOTE_ATOMIC(type);                                                                 \
		return __atomic_fetch_##operation(address, value, STRONGEST);                      \
	}

#define EXCHANGE_IF(type, strength, is_weak)                                                       \
	FUNCTION(int, __tsan_##type##_compare_exchange_##strength,                                 \
	    (volatile type * address, type * expected, type value, int order, int failed))         \
	{                                                                                          \
		(void)order;                                                                       \
		(void)failed;                                                                      \
		NOTE_ATOMIC(type);                                                                 \
		return __atomic_compare_exchange_n(                                                \
		    address, expected, value, is_weak, STRONGEST, STRONGEST);                      \
	}

#define ATOMIC(type)                                                                               \
	FUNCTION(type, __tsan_##type##_load, (const volatile type *address, int order))            \
	{                                                                                          \
		(void)order;                                                                       \
		NOTE(type, false);                                                                 \
		return __atomic_load_n(address, STRONGEST);                                        \
	}                                                                                          \
	FUNCTION(void, __tsan_##type##_store, (volatile type * address, type value, int order))    \
	{                                                                                          \
		if (order == STRONGEST)                                                            \
			NOTE_ATOMIC(type);                                                         \
		else                                                                               \
			NOTE(type, true);                                                          \
		__atomic_store_n(address, value, STRONGEST);                                       \
	}                                                                                          \
	FUNCTION(type, __tsan_##type##_exchange, (volatile type * address, type value, int order)) \
	{                                                                                          \
		(void)order;                                                                       \
		NOTE_ATOMIC(type);                                                                 \
		return __atomic_exchange_n(address, value, STRONGEST);                             \
	}                                                                                          \
	FETCH(type, add)                                                                           \
	FETCH(type, sub)                                                                           \
	FETCH(type, and)                                                                           \
	FETCH(type, or)                                                                            \
	FETCH(type, xor)                                                                           \
	FETCH(type, nand)                                                                          \
	EXCHANGE_IF(type, strong, 0)                                                               \
	EXCHANGE_IF(type, weak, 1)                                                                 \
	FUNCTION(type, __tsan_##type##_compare_exchange_val,                                       \
	    (volatile type * address, type expected, type value, int order, int failed))           \
	{                                                                                          \
		(void)order;                                                                       \
		(void)failed;                                                                      \
		NOTE_ATOMIC(type);                                                                 \
		__atomic_compare_exchange_n(address, &expected, value, 0, STRONGEST, STRONGEST);   \
		return expected;                                                                   \
	}

ATOMIC(atomic8)
ATOMIC(atomic16)
ATOMIC(atomic32)
ATOMIC(atomic64)

__extension__ typedef unsigned __int128 atomic128;

static struct spin_lock long_lock;

/* The value before; *address becomes `next`, for which *address stands as `old`. */
#define EXCHANGE_LONG(next)                                                                        \
	NOTE_ATOMIC(atomic128);                                                                    \
	spin_lock_take(&long_lock);                                                                \
	const atomic128 old = *address;                                                            \
	*address = (next);                                                                         \
	spin_lock_give(&long_lock)

#define CHANGE_LONG(name, next)                                                                    \
	FUNCTION(atomic128, __tsan_atomic128_##name,                                               \
	    (volatile atomic128 * address, atomic128 value, int order))                            \
	{                                                                                          \
		(void)order;                                                                       \
		EXCHANGE_LONG(next);                                                               \
		return old;                                                                        \
	}

#define EXCHANGE_LONG_IF(strength)                                                                 \
	FUNCTION(int, __tsan_atomic128_compare_exchange_##strength,                                \
	    (volatile atomic128 * address, atomic128 * expected, atomic128 value, int order,       \
		int failed))                                                                       \
	{                                                                                          \
		const atomic128 wanted = *expected;                                                \
		(void)order;                                                                       \
		(void)failed;                                                                      \
		EXCHANGE_LONG(old == wanted ? value : old);                                        \
		*expected = old;                                                                   \
		return old == wanted;                                                              \
	}

CHANGE_LONG(exchange, value)
CHANGE_LONG(fetch_add, old + value)
CHANGE_LONG(fetch_sub, old - value)
CHANGE_LONG(fetch_and, old &value)
CHANGE_LONG(fetch_or, old | value)
CHANGE_LONG(fetch_xor, old ^ value)
CHANGE_LONG(fetch_nand, ~(old &value))
EXCHANGE_LONG_IF(strong)
EXCHANGE_LONG_IF(weak)

FUNCTION(atomic128, __tsan_atomic128_compare_exchange_val,
    (volatile atomic128 * address, atomic128 expected, atomic128 value, int order, int failed))
{
	(void)order;
	(void)failed;
	EXCHANGE_LONG(old == expected ? value : old);
	return old;
}

FUNCTION(void, __tsan_atomic128_store, (volatile atomic128 * address, atomic128 value, int order))
{
	(void)order;
	EXCHANGE_LONG(value);
	(void)old;
}

FUNCTION(atomic128, __tsan_atomic128_load, (const volatile atomic128 *address, int order))
{
	(void)order;
	NOTE(atomic128, false);
	spin_lock_take(&long_lock);
	const atomic128 value = *address;
	spin_lock_give(&long_lock);
	return value;
}

FUNCTION(void, __tsan_atomic_thread_fence, (int order))
{
	(void)order;
	__atomic_thread_fence(STRONGEST);
}

FUNCTION(void, __tsan_atomic_signal_fence, (int order))
{
	(void)order;
	__atomic_signal_fence(STRONGEST);
}
