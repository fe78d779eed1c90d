/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What functions of the C library keep from call to call without a lock, as strtok() and those of
 * streams with `unlocked` in the name do. Only an optimizing compiler makes the latter's code part
 * of the program, where ThreadSanitizer sees it. These functions precede the library's and tell
 * ThreadSanitizer what these are about to write. They also tell it what flockfile() orders, which
 * it does not know either.
 */
#include "next.h"
#include "tsan-report.h"

#include <stdio.h>
#include <string.h>

#ifdef __GLIBC__

#define PUBLIC __attribute__((visibility("default")))

/* The function writes what is at the address. `caller`: where it is called. */
static void note(void *function, const void *address, void *caller)
{
	if (__tsan_write_range_pc == NULL || __tsan_func_entry == NULL || __tsan_func_exit == NULL)
		return;
	__tsan_func_entry(caller);
	__tsan_write_range_pc((void *)(uintptr_t)address, sizeof(char *), (char *)function + 1);
	__tsan_func_exit();
}

/*
 * Writes what is at the address. That of a stream is also written by the library's code in the
 * program. `name` may be a macro, too: hence the brackets around it.
 */
#define UNLOCKED(type, name, address, parameters, arguments)                                       \
	PUBLIC type(name) parameters                                                               \
	{                                                                                          \
		static type(*next) parameters;                                                     \
		next_find((void **)&next, __func__);                                               \
		note((void *)(name), address, __builtin_return_address(0));                        \
		return next arguments;                                                             \
	}

UNLOCKED(int, putc_unlocked, &file->_IO_write_ptr, (int byte, FILE *file), (byte, file))
UNLOCKED(int, fputc_unlocked, &file->_IO_write_ptr, (int byte, FILE *file), (byte, file))
UNLOCKED(int, putchar_unlocked, &stdout->_IO_write_ptr, (int byte), (byte))
UNLOCKED(int, fputs_unlocked, &file->_IO_write_ptr, (const char *text, FILE *file), (text, file))
UNLOCKED(size_t, fwrite_unlocked, &file->_IO_write_ptr,
    (const void *bytes, size_t size, size_t count, FILE *file), (bytes, size, count, file))
UNLOCKED(int, getc_unlocked, &file->_IO_read_ptr, (FILE * file), (file))
UNLOCKED(int, fgetc_unlocked, &file->_IO_read_ptr, (FILE * file), (file))
UNLOCKED(int, getchar_unlocked, &stdin->_IO_read_ptr, (void), ())
UNLOCKED(char *, fgets_unlocked, &file->_IO_read_ptr, (char *text, int size, FILE *file),
    (text, size, file))
UNLOCKED(size_t, fread_unlocked, &file->_IO_read_ptr,
    (void *bytes, size_t size, size_t count, FILE *file), (bytes, size, count, file))

/* Stands for what strtok() keeps, whose address is not known. */
static char *kept_by_strtok;

UNLOCKED(char *, strtok, &kept_by_strtok, (char *text, const char *delimiters), (text, delimiters))

PUBLIC void flockfile(FILE *file)
{
	static void (*next)(FILE *);

	next_find((void **)&next, __func__);
	next(file);
	if (__tsan_acquire != NULL)
		__tsan_acquire(file);
}

PUBLIC int ftrylockfile(FILE *file)
{
	static int (*next)(FILE *);

	next_find((void **)&next, __func__);
	int result = next(file);
	if (result == 0 && __tsan_acquire != NULL)
		__tsan_acquire(file);
	return result;
}

PUBLIC void funlockfile(FILE *file)
{
	static void (*next)(FILE *);

	next_find((void **)&next, __func__);
	if (__tsan_release != NULL)
		__tsan_release(file);
	next(file);
}

#endif
