/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Happens-before edges for programs built with -fsanitize=thread. The runtime itself is not
 * instrumented, so the sanitizer cannot see its atomics; these weak functions, which the
 * sanitizer's own runtime defines, inform it. Without the sanitizer they are null: one predictable
 * branch each. A test's build (RT_TSAN_SILENT) omits them, so that a tool has to inform it.
 */
#ifndef RT_TSAN_H
#define RT_TSAN_H
#include <stddef.h>

#include "atomics.h"
#include "shared/race-log.h"

#ifndef RT_TSAN_SILENT
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);
__attribute__((weak)) void __tsan_atomic_thread_fence(int order);
__attribute__((weak)) void __tsan_mutex_destroy(void *address, unsigned flags);
__attribute__((weak)) void __tsan_mutex_pre_lock(void *address, unsigned flags);
__attribute__((weak)) int __tsan_mutex_post_lock(void *address, unsigned flags, int recursion);
#else
#define __tsan_acquire             ((void (*)(void *))NULL)
#define __tsan_release             ((void (*)(void *))NULL)
#define __tsan_atomic_thread_fence ((void (*)(int))NULL)
#define __tsan_mutex_destroy       ((void (*)(void *, unsigned))NULL)
#define __tsan_mutex_pre_lock      ((void (*)(void *, unsigned))NULL)
#define __tsan_mutex_post_lock     ((int (*)(void *, unsigned, int))NULL)
#endif

/*
 * Between begin and end, ThreadSanitizer ignores what the calling thread does to memory: functions
 * of the C library are observed wherever they are called from. Acquire and release have no effect
 * meanwhile. (The attempt to lock a mutex has this effect, and none besides if it fails.) If the
 * runtime itself is instrumented, for its own tests, nothing that it does may be ignored.
 */
#ifdef __SANITIZE_THREAD__
#define RT_TSAN_IGNORES 0
#else
#define RT_TSAN_IGNORES 1
#endif
enum { RT_TSAN_TRY = 1 << 4, RT_TSAN_TRY_FAILED = 1 << 5 };

static inline void rt_tsan_ignore_begin(void)
{
	static char mutex;

	if (RT_TSAN_IGNORES && unlikely(__tsan_mutex_pre_lock != NULL))
		__tsan_mutex_pre_lock(&mutex, RT_TSAN_TRY);
}

static inline void rt_tsan_ignore_end(void)
{
	static char mutex;

	if (RT_TSAN_IGNORES && unlikely(__tsan_mutex_post_lock != NULL))
		__tsan_mutex_post_lock(&mutex, RT_TSAN_TRY | RT_TSAN_TRY_FAILED, 0);
}

/*
 * Forgets all that was released at `address`, which stands for something new from now on. (There is
 * no such annotation; destroying a mutex there has this effect, except for a write of its memory.)
 */
static inline void rt_tsan_forget(const void *address)
{
	if (!RT_TSAN_IGNORES || __tsan_mutex_destroy == NULL)
		return;
	rt_tsan_ignore_begin();
	__tsan_mutex_destroy((void *)(uintptr_t)address, 0);
	rt_tsan_ignore_end();
	if (ompinst_race_forget != NULL)
		ompinst_race_forget(address);
}

/* For runtime/race: threads of execution other than those of the system. */
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

/*
 * Acquire and release, as below, of a lock: which thread comes first is a matter of chance, so it
 * does not count as an order of the program when lock orders are compared.
 */
static inline void rt_tsan_acquire_lock(const void *address)
{
	if (unlikely(__tsan_acquire != NULL))
		__tsan_acquire((void *)(uintptr_t)address);
}

static inline void rt_tsan_release_lock(const void *address)
{
	if (unlikely(__tsan_release != NULL))
		__tsan_release((void *)(uintptr_t)address);
}

/* What other threads released at `address` happened before what follows. */
static inline void rt_tsan_acquire(const void *address)
{
	if (unlikely(__tsan_acquire != NULL)) {
		__tsan_acquire((void *)(uintptr_t)address);
		if (ompinst_race_acquire != NULL)
			ompinst_race_acquire(address);
	}
}

/* A fence of the program, in both directions. */
static inline void rt_tsan_fence(void)
{
	enum { SEQUENTIAL = 5 };

	if (unlikely(__tsan_atomic_thread_fence != NULL))
		__tsan_atomic_thread_fence(SEQUENTIAL);
}

static inline void rt_tsan_release(const void *address)
{
	if (unlikely(__tsan_release != NULL)) {
		if (ompinst_race_release != NULL)
			ompinst_race_release(address);
		__tsan_release((void *)(uintptr_t)address);
	}
}

#endif
