/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Happens-before edges for programs built with -fsanitize=thread. The runtime itself is not
 * instrumented, so the sanitizer cannot see its atomics; these two weak functions, which the
 * sanitizer's own runtime defines, inform it. Without the sanitizer they are null: one predictable
 * branch each. A test's build (RT_TSAN_SILENT) says nothing, so that a tool has to.
 */
#ifndef RT_TSAN_H
#define RT_TSAN_H
#include <stddef.h>

#include "atomics.h"

#ifndef RT_TSAN_SILENT
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);
#else
#define __tsan_acquire ((void (*)(void *))NULL)
#define __tsan_release ((void (*)(void *))NULL)
#endif

/* Is the sanitizer's runtime in the process? */
static inline bool rt_tsan_is_present(void)
{
	return __tsan_acquire != NULL;
}

/* What was released at `address` by others happened before what follows. */
static inline void rt_tsan_acquire(const void *address)
{
	if (unlikely(__tsan_acquire != NULL))
		__tsan_acquire((void *)(uintptr_t)address);
}

static inline void rt_tsan_release(const void *address)
{
	if (unlikely(__tsan_release != NULL))
		__tsan_release((void *)(uintptr_t)address);
}

#endif
