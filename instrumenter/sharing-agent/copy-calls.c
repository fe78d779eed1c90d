/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the linker puts in place of the program's own calls of memcpy() and the like (--wrap): GCC
 * notes no accesses for those. Libraries that were not linked like this keep calling libc's. What
 * clang copies and fills comes by its own names, which access-calls.c has.
 */
#include "noted-lines.h"

#include <string.h>

#define PUBLIC __attribute__((visibility("default")))
#define PLACE  ((uintptr_t)__builtin_return_address(0))

/* libc's, which end the program if there is less room. */
void *__memcpy_chk(void *to, const void *from, size_t size, size_t room);
void *__memmove_chk(void *to, const void *from, size_t size, size_t room);
void *__memset_chk(void *to, int value, size_t size, size_t room);

#define NOTE_COPY                                                                                  \
	do {                                                                                       \
		note_access((uintptr_t)from, size, false, PLACE);                                  \
		note_access((uintptr_t)to, size, true, PLACE);                                     \
	} while (0)

PUBLIC void *__wrap_memcpy(void *to, const void *from, size_t size);
PUBLIC void *__wrap_memcpy(void *to, const void *from, size_t size)
{
	NOTE_COPY;
	return memcpy(to, from, size);
}

PUBLIC void *__wrap_memmove(void *to, const void *from, size_t size);
PUBLIC void *__wrap_memmove(void *to, const void *from, size_t size)
{
	NOTE_COPY;
	return memmove(to, from, size);
}

PUBLIC void *__wrap_memset(void *to, int value, size_t size);
PUBLIC void *__wrap_memset(void *to, int value, size_t size)
{
	note_access((uintptr_t)to, size, true, PLACE);
	return memset(to, value, size);
}

PUBLIC void *__wrap___memcpy_chk(void *to, const void *from, size_t size, size_t room);
PUBLIC void *__wrap___memcpy_chk(void *to, const void *from, size_t size, size_t room)
{
	NOTE_COPY;
	return __memcpy_chk(to, from, size, room);
}

PUBLIC void *__wrap___memmove_chk(void *to, const void *from, size_t size, size_t room);
PUBLIC void *__wrap___memmove_chk(void *to, const void *from, size_t size, size_t room)
{
	NOTE_COPY;
	return __memmove_chk(to, from, size, room);
}

PUBLIC void *__wrap___memset_chk(void *to, int value, size_t size, size_t room);
PUBLIC void *__wrap___memset_chk(void *to, int value, size_t size, size_t room)
{
	note_access((uintptr_t)to, size, true, PLACE);
	return __memset_chk(to, value, size, room);
}
