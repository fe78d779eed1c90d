/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into programs with AddressSanitizer or MemorySanitizer under `ompinst race run`. The
 * sanitizers do not see what the OpenMP runtime does to memory, because it is not instrumented.
 * Here they learn of what it uses, locks, and of what it has written, the parts of a task that
 * belong to it.
 */
#include "next.h"

#include <stdint.h>

#define PUBLIC __attribute__((visibility("default")))

/* The sanitizers' own functions; null without them. */
__attribute__((weak)) void __asan_loadN_noabort(uintptr_t address, size_t size);
__attribute__((weak)) void __msan_unpoison(const volatile void *address, size_t size);

static void note_written(const volatile void *address, size_t size)
{
	if (__msan_unpoison != NULL && address != NULL)
		__msan_unpoison(address, size);
}

static void note_used(const void *lock)
{
	if (__asan_loadN_noabort != NULL)
		__asan_loadN_noabort((uintptr_t)lock, sizeof(int));
}

/*
 * A routine that uses a lock, and its name in Fortran. Nestable locks have a version of each for
 * each compiler, which the next function here would not be.
 */
#define USES_LOCK_AS(name, result)                                                                 \
	PUBLIC result name(void *lock);                                                            \
	PUBLIC result name(void *lock)                                                             \
	{                                                                                          \
		static result (*next)(void *);                                                     \
                                                                                                   \
		next_find((void **)&next, __func__);                                               \
		note_used(lock);                                                                   \
		return next(lock);                                                                 \
	}
#define USES_LOCK(name, result)                                                                    \
	USES_LOCK_AS(name, result)                                                                 \
	USES_LOCK_AS(name##_, result)

USES_LOCK(omp_set_lock, void)
USES_LOCK(omp_unset_lock, void)
USES_LOCK(omp_test_lock, int)
USES_LOCK(omp_destroy_lock, void)

/* What the runtime writes at the begin of a task of clang, before the program does. */
enum { TASK_HEAD = 40, TASKLOOP_HEAD = 80 };

PUBLIC void *__kmpc_omp_task_alloc(
    void *place, int thread, int flags, size_t bytes, size_t shared_bytes, void *routine);
PUBLIC void *__kmpc_omp_task_alloc(
    void *place, int thread, int flags, size_t bytes, size_t shared_bytes, void *routine)
{
	static void *(*next)(void *, int, int, size_t, size_t, void *);

	next_find((void **)&next, __func__);
	void *task = next(place, thread, flags, bytes, shared_bytes, routine);
	note_written(task, TASK_HEAD);
	return task;
}

PUBLIC void *__kmpc_omp_target_task_alloc(void *place, int thread, int flags, size_t bytes,
    size_t shared_bytes, void *routine, int64_t device);
PUBLIC void *__kmpc_omp_target_task_alloc(void *place, int thread, int flags, size_t bytes,
    size_t shared_bytes, void *routine, int64_t device)
{
	static void *(*next)(void *, int, int, size_t, size_t, void *, int64_t);

	next_find((void **)&next, __func__);
	void *task = next(place, thread, flags, bytes, shared_bytes, routine, device);
	note_written(task, TASK_HEAD);
	return task;
}

PUBLIC void __kmpc_taskloop(void *place, int thread, void *task, int condition, uint64_t *lower,
    uint64_t *upper, int64_t step, int nogroup, int schedule, uint64_t amount, void *copy);
PUBLIC void __kmpc_taskloop(void *place, int thread, void *task, int condition, uint64_t *lower,
    uint64_t *upper, int64_t step, int nogroup, int schedule, uint64_t amount, void *copy)
{
	static void (*next)(
	    void *, int, void *, int, uint64_t *, uint64_t *, int64_t, int, int, uint64_t, void *);

	next_find((void **)&next, __func__);
	note_written(task, TASKLOOP_HEAD);
	next(place, thread, task, condition, lower, upper, step, nogroup, schedule, amount, copy);
}

PUBLIC void __kmpc_taskloop_5(void *place, int thread, void *task, int condition, uint64_t *lower,
    uint64_t *upper, int64_t step, int nogroup, int schedule, uint64_t amount, int strict,
    void *copy);
PUBLIC void __kmpc_taskloop_5(void *place, int thread, void *task, int condition, uint64_t *lower,
    uint64_t *upper, int64_t step, int nogroup, int schedule, uint64_t amount, int strict,
    void *copy)
{
	static void (*next)(void *, int, void *, int, uint64_t *, uint64_t *, int64_t, int, int,
	    uint64_t, int, void *);

	next_find((void **)&next, __func__);
	note_written(task, TASKLOOP_HEAD);
	next(place, thread, task, condition, lower, upper, step, nogroup, schedule, amount, strict,
	    copy);
}

PUBLIC void omp_get_schedule(int *kind, int *chunk);
PUBLIC void omp_get_schedule(int *kind, int *chunk)
{
	static void (*next)(int *, int *);

	next_find((void **)&next, __func__);
	next(kind, chunk);
	note_written(kind, sizeof(*kind));
	note_written(chunk, sizeof(*chunk));
}
