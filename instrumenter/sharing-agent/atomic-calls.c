/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations of code that was compiled with -fsanitize=thread: each is made here, in the
 * strongest order, and noted as a write of the thread, or as a read. The operations are the
 * compiler's own, because their operands have any type here.
 */
#include "noted-lines.h"

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

#define FETCH(type, operation)                                                                     \
	FUNCTION(type, __tsan_##type##_fetch_##operation,                                          \
	    (volatile type * address, type value, int order))                                      \
	{                                                                                          \
		(void)order;                                                                       \
		NOTE(type, true);                                                                  \
		return __atomic_fetch_##operation(address, value, STRONGEST);                      \
	}

#define EXCHANGE_IF(type, strength, is_weak)                                                       \
	FUNCTION(int, __tsan_##type##_compare_exchange_##strength,                                 \
	    (volatile type * address, type * expected, type value, int order, int failed))         \
	{                                                                                          \
		(void)order;                                                                       \
		(void)failed;                                                                      \
		NOTE(type, true);                                                                  \
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
		(void)order;                                                                       \
		NOTE(type, true);                                                                  \
		__atomic_store_n(address, value, STRONGEST);                                       \
	}                                                                                          \
	FUNCTION(type, __tsan_##type##_exchange, (volatile type * address, type value, int order)) \
	{                                                                                          \
		(void)order;                                                                       \
		NOTE(type, true);                                                                  \
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
		NOTE(type, true);                                                                  \
		__atomic_compare_exchange_n(address, &expected, value, 0, STRONGEST, STRONGEST);   \
		return expected;                                                                   \
	}

ATOMIC(atomic8)
ATOMIC(atomic16)
ATOMIC(atomic32)
ATOMIC(atomic64)

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
