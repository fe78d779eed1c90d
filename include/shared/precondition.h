/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CHECK(condition, rule): what a function's callers must ensure, in code. Where it does not hold,
 * the process prints the place and the rule and aborts, so that a debugger or a core file shows the
 * caller. A release build (NDEBUG) only compiles the condition; it costs nothing there. CHECK is
 * for mistakes of this project's own code. Wrong input gets an error message, in every build.
 */
#ifndef SHARED_PRECONDITION_H
#define SHARED_PRECONDITION_H

#ifdef NDEBUG
#define CHECK(condition, rule) ((void)sizeof(!(condition)), (void)sizeof(rule))
#else
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define PRECONDITION_TEXT(number)  #number
#define PRECONDITION_PLACE(number) ":" PRECONDITION_TEXT(number) ": "
#define CHECK(condition, rule)                                                                     \
	((condition) ? (void)0                                                                     \
		     : precondition_failed(                                                        \
			   __FILE__ PRECONDITION_PLACE(__LINE__), __func__, "(): " rule "\n"))

/* Allocates nothing and takes no lock: the caller may be inside an allocator. */
static __attribute__((noreturn, cold, noinline, unused)) void precondition_failed(
    const char *place, const char *function, const char *rule)
{
	const char *const text[] = {place, function, rule};
	struct iovec parts[3];

	for (int i = 0; i < 3; i++)
		parts[i] = (struct iovec){(void *)(uintptr_t)text[i], strlen(text[i])};
	(void)!writev(STDERR_FILENO, parts, 3);
	abort();
}
#endif
#endif
