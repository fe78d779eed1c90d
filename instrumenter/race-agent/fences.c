/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flush. ThreadSanitizer does not support fences. Assume that a program writes data, flushes, and
 * sets a flag with an atomic construct, and that another thread reads the flag and flushes before
 * it reads the data. OpenMP 5.2, 1.4.4 orders this, but the sanitizer would report a race. These
 * functions precede the sanitizer's own, which they call, and add what C11, 7.17.4 says of fences:
 *
 *   - what a thread did before a fence is released at each object that it then writes by a relaxed
 *     atomic operation;
 *   - the thread's next fence acquires what was released at the objects that it has read by relaxed
 *     operations, for the last REMEMBERED of them.
 *
 * Only what came before the fence is released, not what came between the fence and the write. Each
 * thread that uses fences therefore has a second one in the sanitizer, a fiber that knows what the
 * thread knew at its last fence, and that only releases. A task on its own strand has no such
 * fiber: there, its last fence releases what the task knows at the write.
 */
#include "next.h"
#include "tsan-report.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { RELAXED = 0, REMEMBERED = 8, NO_SYNC = 1 };

/* One per thread. */
static _Thread_local struct {
	bool has_fenced;
	unsigned next;
	const volatile void *read[REMEMBERED];
	void *thread; /* the fiber that created ... */
	void *shadow; /* ... this one */
	char place;   /* its address is where the thread passes its knowledge on to the shadow */
} fences __attribute__((tls_model("initial-exec")));

static bool has_shadow(void)
{
	return fences.shadow != NULL && __tsan_get_current_fiber() == fences.thread;
}

static pthread_key_t ending;
static bool has_ending;

__attribute__((constructor)) static void begin(void)
{
	has_ending =
	    __tsan_destroy_fiber != NULL && pthread_key_create(&ending, __tsan_destroy_fiber) == 0;
}

/*
 * The shadow ends with its thread, because the sanitizer has numbers for only some thousand threads
 * at once.
 */
static void begin_shadow(void)
{
	if (fences.shadow != NULL || __tsan_create_fiber == NULL || !has_ending)
		return;
	fences.thread = __tsan_get_current_fiber();
	fences.shadow = __tsan_create_fiber(0);
	pthread_setspecific(ending, fences.shadow);
}

static void note_fence(void)
{
	fences.has_fenced = true;
	for (unsigned i = 0; i < REMEMBERED; i++)
		if (fences.read[i] != NULL)
			__tsan_acquire((void *)(uintptr_t)fences.read[i]);
	begin_shadow();
	if (!has_shadow())
		return;
	__tsan_release(&fences.place);
	__tsan_switch_to_fiber(fences.shadow, NO_SYNC);
	__tsan_acquire(&fences.place);
	__tsan_switch_to_fiber(fences.thread, NO_SYNC);
}

static void note_write(const volatile void *object, int order)
{
	if (order != RELAXED || !fences.has_fenced)
		return;
	if (has_shadow()) {
		__tsan_switch_to_fiber(fences.shadow, NO_SYNC);
		__tsan_release((void *)(uintptr_t)object);
		__tsan_switch_to_fiber(fences.thread, NO_SYNC);
	} else {
		__tsan_release((void *)(uintptr_t)object);
	}
}

static void note_read(const volatile void *object, int order)
{
	if (order != RELAXED || fences.read[(fences.next - 1) % REMEMBERED] == object)
		return;
	fences.read[fences.next++ % REMEMBERED] = object;
}

/*
 * Each ends with a jump to the sanitizer's own function, whose caller is then the program's code.
 */
#define PUBLIC __attribute__((visibility("default")))

PUBLIC void __tsan_atomic_thread_fence(int order);
PUBLIC void __tsan_atomic_thread_fence(int order)
{
	static void (*next)(int);

	next_find((void **)&next, __func__);
	if (next != NULL)
		next(order);
	if (order != RELAXED && __tsan_acquire != NULL)
		note_fence();
}

#define LOAD(bits, type)                                                                           \
	PUBLIC type __tsan_atomic##bits##_load(const volatile type *object, int order);            \
	PUBLIC type __tsan_atomic##bits##_load(const volatile type *object, int order)             \
	{                                                                                          \
		static type (*next)(const volatile type *, int);                                   \
		next_find((void **)&next, __func__);                                               \
		note_read(object, order);                                                          \
		return next(object, order);                                                        \
	}

#define STORE(bits, type)                                                                          \
	PUBLIC void __tsan_atomic##bits##_store(volatile type *object, type value, int order);     \
	PUBLIC void __tsan_atomic##bits##_store(volatile type *object, type value, int order)      \
	{                                                                                          \
		static void (*next)(volatile type *, type, int);                                   \
		next_find((void **)&next, __func__);                                               \
		note_write(object, order);                                                         \
		next(object, value, order);                                                        \
	}

#define CHANGE(bits, type, name)                                                                   \
	PUBLIC type __tsan_atomic##bits##_##name(volatile type *object, type value, int order);    \
	PUBLIC type __tsan_atomic##bits##_##name(volatile type *object, type value, int order)     \
	{                                                                                          \
		static type (*next)(volatile type *, type, int);                                   \
		next_find((void **)&next, __func__);                                               \
		note_write(object, order);                                                         \
		note_read(object, order);                                                          \
		return next(object, value, order);                                                 \
	}

#define COMPARE(bits, type, name)                                                                  \
	PUBLIC int __tsan_atomic##bits##_##name(                                                   \
	    volatile type *object, type *expected, type value, int order, int failure);            \
	PUBLIC int __tsan_atomic##bits##_##name(                                                   \
	    volatile type *object, type *expected, type value, int order, int failure)             \
	{                                                                                          \
		static int (*next)(volatile type *, type *, type, int, int);                       \
		next_find((void **)&next, __func__);                                               \
		note_write(object, order);                                                         \
		note_read(object, order);                                                          \
		return next(object, expected, value, order, failure);                              \
	}

#define ALL(bits, type)                                                                            \
	LOAD(bits, type)                                                                           \
	STORE(bits, type)                                                                          \
	CHANGE(bits, type, exchange)                                                               \
	CHANGE(bits, type, fetch_add)                                                              \
	CHANGE(bits, type, fetch_sub)                                                              \
	CHANGE(bits, type, fetch_and)                                                              \
	CHANGE(bits, type, fetch_or)                                                               \
	CHANGE(bits, type, fetch_xor)                                                              \
	CHANGE(bits, type, fetch_nand)                                                             \
	COMPARE(bits, type, compare_exchange_strong)                                               \
	COMPARE(bits, type, compare_exchange_weak)

ALL(8, uint8_t)
ALL(16, uint16_t)
ALL(32, uint32_t)
ALL(64, uint64_t)
