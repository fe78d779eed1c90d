/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What code that was compiled with -fsanitize=thread calls for each access to memory and for each
 * function, in place of ThreadSanitizer's functions. Each notes the access; the program itself
 * makes it, except for atomic ones.
 *
 * It exists twice. Each program and library that `ompinst sharing` links has a copy of its own
 * (sharing-calls.a), hidden, which its code calls directly: a call by way of the table of a
 * library's functions takes about as much time again as noting does. The library has it for code
 * that something else has linked. Both have the same threads and states, which are the library's.
 */
#include "noted-lines.h"

#ifdef ACCESS_CALLS_HIDDEN
#define PUBLIC __attribute__((visibility("hidden")))
#else
#define PUBLIC __attribute__((visibility("default")))
#endif
#define PLACE ((uintptr_t)__builtin_return_address(0))

/* A call that notes `size` bytes by `note`; the names are the compiler's. */
#define NOTING(note, name, size, writes)                                                           \
	PUBLIC void name(const void *address);                                                     \
	PUBLIC void name(const void *address)                                                      \
	{                                                                                          \
		note((uintptr_t)address, size, writes, PLACE);                                     \
	}
#define PLAIN(size)                                                                                \
	NOTING(note_aligned, __tsan_read##size, size, false)                                       \
	NOTING(note_aligned, __tsan_write##size, size, true)                                       \
	NOTING(note_aligned, __tsan_volatile_read##size, size, false)                              \
	NOTING(note_aligned, __tsan_volatile_write##size, size, true)                              \
	NOTING(note_aligned, __tsan_read_write##size, size, true)
#define UNALIGNED(size)                                                                            \
	NOTING(note_access, __tsan_unaligned_read##size, size, false)                              \
	NOTING(note_access, __tsan_unaligned_write##size, size, true)                              \
	NOTING(note_access, __tsan_unaligned_volatile_read##size, size, false)                     \
	NOTING(note_access, __tsan_unaligned_volatile_write##size, size, true)                     \
	NOTING(note_access, __tsan_unaligned_read_write##size, size, true)

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

#define RANGE(name, writes)                                                                        \
	PUBLIC void name(const void *address, unsigned long size);                                 \
	PUBLIC void name(const void *address, unsigned long size)                                  \
	{                                                                                          \
		note_access((uintptr_t)address, size, writes, PLACE);                              \
	}

RANGE(__tsan_read_range, false)
RANGE(__tsan_write_range, true)

NOTING(note_aligned, __tsan_vptr_read, sizeof(void *), false)

PUBLIC void __tsan_vptr_update(void **address, void *value);
PUBLIC void __tsan_vptr_update(void **address, void *value)
{
	(void)value;
	note_access((uintptr_t)address, sizeof *address, true, PLACE);
}

/*
 * clang calls these for what it copies and fills itself. Not in the programs' copy: the linker
 * would make the calls below those of copy-calls.c, which note the same again.
 */
#ifndef ACCESS_CALLS_HIDDEN
PUBLIC void *__tsan_memcpy(void *to, const void *from, unsigned long size);
PUBLIC void *__tsan_memcpy(void *to, const void *from, unsigned long size)
{
	note_access((uintptr_t)from, size, false, PLACE);
	note_access((uintptr_t)to, size, true, PLACE);
	return __builtin_memcpy(to, from, size);
}

PUBLIC void *__tsan_memmove(void *to, const void *from, unsigned long size);
PUBLIC void *__tsan_memmove(void *to, const void *from, unsigned long size)
{
	note_access((uintptr_t)from, size, false, PLACE);
	note_access((uintptr_t)to, size, true, PLACE);
	return __builtin_memmove(to, from, size);
}

PUBLIC void *__tsan_memset(void *to, int value, unsigned long size);
PUBLIC void *__tsan_memset(void *to, int value, unsigned long size)
{
	note_access((uintptr_t)to, size, true, PLACE);
	return __builtin_memset(to, value, size);
}
#endif

PUBLIC void __tsan_func_entry(void *caller);
PUBLIC void __tsan_func_entry(void *caller)
{
	struct noting_thread *self = &noting_self;

	self->callers[self->depth++ % CALLS_KEPT] = (uintptr_t)caller;
}

PUBLIC void __tsan_func_exit(void);
PUBLIC void __tsan_func_exit(void)
{
	struct noting_thread *self = &noting_self;

	self->depth -= self->depth > 0;
}

PUBLIC void __tsan_init(void);
PUBLIC void __tsan_init(void)
{
}
