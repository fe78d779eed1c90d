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
/* Of a family of annotations that ThreadSanitizer defines, too. */
__attribute__((weak)) void AnnotateIgnoreReadsBegin(const char *file, int line);
__attribute__((weak)) void AnnotateIgnoreReadsEnd(const char *file, int line);
__attribute__((weak)) void AnnotateIgnoreWritesBegin(const char *file, int line);
__attribute__((weak)) void AnnotateIgnoreWritesEnd(const char *file, int line);
#else
#define __tsan_acquire ((void (*)(void *))NULL)
#define __tsan_release ((void (*)(void *))NULL)
#endif

/*
 * What the calling thread does to memory until the end is not the program's: the C library's
 * functions are seen wherever they are called from. For what the runtime's own locks protect, which
 * say nothing to ThreadSanitizer, because they order nothing for the program.
 */
#ifndef RT_TSAN_SILENT
static inline void rt_tsan_ignore_begin(void)
{
	if (unlikely(AnnotateIgnoreWritesEnd != NULL)) {
		AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
		AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
	}
}

static inline void rt_tsan_ignore_end(void)
{
	if (unlikely(AnnotateIgnoreWritesEnd != NULL)) {
		AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
		AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
	}
}
#else
static inline void rt_tsan_ignore_begin(void)
{
}

static inline void rt_tsan_ignore_end(void)
{
}
#endif

/* For the race room: other threads of execution than those of the system. */
__attribute__((weak)) void *__tsan_get_current_fiber(void);
__attribute__((weak)) void *__tsan_create_fiber(unsigned flags);
__attribute__((weak)) void __tsan_destroy_fiber(void *fiber);
__attribute__((weak)) void __tsan_switch_to_fiber(void *fiber, unsigned flags);
__attribute__((weak)) void __tsan_set_fiber_name(void *fiber, const char *name);

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
