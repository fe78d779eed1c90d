/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A region's code as clang outlines it: a function of two addresses, of the thread's number in the
 * process and of its number in the team, and of one argument for each variable of the program that
 * it uses. Each is as wide as a pointer.
 */
#ifndef RT_MICROTASK_H
#define RT_MICROTASK_H
#include <stdarg.h>

#include "thread.h"

typedef void kmp_microtask_fn(int32_t *gtid, int32_t *number, ...);

enum { KMP_ARGUMENTS_AT_MOST = 512 };

/* The function that a region's members call. */
struct kmp_microtask {
	kmp_microtask_fn *fn;
	int32_t count;
	void **arguments; /* on the stack of the thread that forks */
};

/* Takes the program's arguments, `count` of them; ends the process if there are too many. */
void kmp_microtask_arguments(int32_t count, void **arguments, va_list list);

/* Calls the function for the calling thread, as a member of its team; used as a region's code. */
void kmp_microtask_run(void *microtask);

/*
 * For MemorySanitizer: the runtime, which it does not see, is going to call a function of the
 * program with so many arguments, all of which have values.
 */
void kmp_note_arguments(int32_t count);

#endif
