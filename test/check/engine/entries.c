/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that gcc -fsanitize=thread calls for each access to memory. The code under test is
 * linked with these in place of the sanitizer's library; they pass each access and its memory order
 * to the checker. Outside a run they simply perform the access.
 */
#include <stdlib.h>
#include <string.h>

#include "engine.h"

#define PLACE __builtin_return_address(0)

static void plain(const void *address, size_t size, bool is_write, const void *place)
{
	if (check_self == NULL)
		return;
	heap_access((uintptr_t)address, size, place);
	shadow_access((uintptr_t)address, size, is_write, false, place);
	if (is_write)
		memory_forget((uintptr_t)address, size);
}

#define PLAIN(size)                                                                                \
	void __tsan_read##size(const void *address);                                               \
	void __tsan_read##size(const void *address)                                                \
	{                                                                                          \
		plain(address, size, false, PLACE);                                                \
	}                                                                                          \
	void __tsan_write##size(void *address);                                                    \
	void __tsan_write##size(void *address)                                                     \
	{                                                                                          \
		plain(address, size, true, PLACE);                                                 \
	}
#define PLAIN_UNALIGNED(size)                                                                      \
	void __tsan_unaligned_read##size(const void *address);                                     \
	void __tsan_unaligned_read##size(const void *address)                                      \
	{                                                                                          \
		plain(address, size, false, PLACE);                                                \
	}                                                                                          \
	void __tsan_unaligned_write##size(void *address);                                          \
	void __tsan_unaligned_write##size(void *address)                                           \
	{                                                                                          \
		plain(address, size, true, PLACE);                                                 \
	}

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
PLAIN_UNALIGNED(2)
PLAIN_UNALIGNED(4)
PLAIN_UNALIGNED(8)
PLAIN_UNALIGNED(16)

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *place);
void __tsan_func_entry(void *place)
{
	(void)place;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

void __tsan_read_range(const void *address, size_t size);
void __tsan_read_range(const void *address, size_t size)
{
	if (size > 0)
		plain(address, size, false, PLACE);
}

void __tsan_write_range(void *address, size_t size);
void __tsan_write_range(void *address, size_t size)
{
	if (size > 0)
		plain(address, size, true, PLACE);
}

/* Replacements for functions of the C library, with which the code under test is linked. */
_Noreturn void __wrap_abort(void);
_Noreturn void __wrap_abort(void)
{
	if (check_self == NULL)
		abort();
	report_failure(PLACE, "abort()");
}

void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size)
{
	if (size > 0) {
		plain(from, size, false, PLACE);
		plain(to, size, true, PLACE);
	}
	return memcpy(to, from, size);
}

void *__wrap_memmove(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size)
{
	if (size > 0) {
		plain(from, size, false, PLACE);
		plain(to, size, true, PLACE);
	}
	return memmove(to, from, size);
}

void *__wrap_memset(void *to, int value, size_t size);
void *__wrap_memset(void *to, int value, size_t size)
{
	if (size > 0)
		plain(to, size, true, PLACE);
	return memset(to, value, size);
}

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
	if (check_self != NULL)
		memory_fence((memory_order)order);
	else
		atomic_thread_fence(memory_order_seq_cst);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
	(void)order;
}

#define UPDATE(bits, type, name, kind, builtin)                                                    \
	type __tsan_atomic##bits##_##name(volatile type *address, type value, int order);          \
	type __tsan_atomic##bits##_##name(volatile type *address, type value, int order)           \
	{                                                                                          \
		if (check_self == NULL)                                                            \
			return builtin(address, value, __ATOMIC_SEQ_CST);                          \
		heap_access((uintptr_t)address, sizeof(type), PLACE);                              \
		return (type)memory_update(                                                        \
		    (uintptr_t)address, sizeof(type), kind, value, (memory_order)order, PLACE);    \
	}

#define REPLACE(bits, type, name)                                                                  \
	int __tsan_atomic##bits##_compare_exchange_##name(                                         \
	    volatile type *address, type *expected, type value, int order, int failure);           \
	int __tsan_atomic##bits##_compare_exchange_##name(                                         \
	    volatile type *address, type *expected, type value, int order, int failure)            \
	{                                                                                          \
		type found;                                                                        \
                                                                                                   \
		if (check_self == NULL)                                                            \
			return __atomic_compare_exchange_n(                                        \
			    address, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
		heap_access((uintptr_t)address, sizeof(type), PLACE);                              \
		found = (type)memory_replace((uintptr_t)address, sizeof(type), *expected, value,   \
		    (memory_order)order, (memory_order)failure, PLACE);                            \
		if (found == *expected)                                                            \
			return 1;                                                                  \
		*expected = found;                                                                 \
		return 0;                                                                          \
	}

#define ATOMIC(bits, type)                                                                         \
	type __tsan_atomic##bits##_load(const volatile type *address, int order);                  \
	type __tsan_atomic##bits##_load(const volatile type *address, int order)                   \
	{                                                                                          \
		if (check_self == NULL)                                                            \
			return __atomic_load_n(address, __ATOMIC_SEQ_CST);                         \
		heap_access((uintptr_t)address, sizeof(type), PLACE);                              \
		return (type)memory_load(                                                          \
		    (uintptr_t)address, sizeof(type), (memory_order)order, PLACE);                 \
	}                                                                                          \
	void __tsan_atomic##bits##_store(volatile type *address, type value, int order);           \
	void __tsan_atomic##bits##_store(volatile type *address, type value, int order)            \
	{                                                                                          \
		if (check_self == NULL) {                                                          \
			__atomic_store_n(address, value, __ATOMIC_SEQ_CST);                        \
			return;                                                                    \
		}                                                                                  \
		heap_access((uintptr_t)address, sizeof(type), PLACE);                              \
		memory_store((uintptr_t)address, sizeof(type), value, (memory_order)order, PLACE); \
	}                                                                                          \
	UPDATE(bits, type, exchange, RMW_EXCHANGE, __atomic_exchange_n)                            \
	UPDATE(bits, type, fetch_add, RMW_ADD, __atomic_fetch_add)                                 \
	UPDATE(bits, type, fetch_sub, RMW_SUB, __atomic_fetch_sub)                                 \
	UPDATE(bits, type, fetch_and, RMW_AND, __atomic_fetch_and)                                 \
	UPDATE(bits, type, fetch_or, RMW_OR, __atomic_fetch_or)                                    \
	UPDATE(bits, type, fetch_xor, RMW_XOR, __atomic_fetch_xor)                                 \
	UPDATE(bits, type, fetch_nand, RMW_NAND, __atomic_fetch_nand)                              \
	REPLACE(bits, type, strong)                                                                \
	REPLACE(bits, type, weak)

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
