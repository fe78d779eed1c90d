/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lock of four bytes; zero is unlocked. Used by omp_lock_t, critical, atomic and inside the
 * runtime. The uncontended pair is two inline atomic operations, or plain ones as long as the
 * process has one thread: the word has the same meaning, and starting a thread orders what came
 * before.
 *
 *   state     0 free; else RT_MUTEX_HELD, with RT_MUTEX_SLEEPERS if a thread may sleep, and above
 *             them the kernel's number of the holder, which only debuggers read (0: a thread
 *             without a record in the runtime). Thread numbers fit: the kernel's are below 2^22
 *   lock      acquire, pairs with unlock (release): the holder sees all that earlier holders wrote
 */
#ifndef RT_MUTEX_H
#define RT_MUTEX_H
#include "atomics.h"
#include "processor-code.h"
#include "single-thread.h"
#include "tsan.h"
#include "wait.h"

struct rt_mutex {
	_Atomic uint32_t state;
};

enum {
	RT_MUTEX_HELD = 1,
	RT_MUTEX_SLEEPERS = 2,
	RT_MUTEX_HOLDER_SHIFT = 2,
	RT_MUTEX_FIRST = 1 << RT_MUTEX_HOLDER_SHIFT | RT_MUTEX_HELD /* by rt_threads.loader */
};

_Static_assert((RT_MUTEX_HELD | RT_MUTEX_SLEEPERS) < 1 << RT_MUTEX_HOLDER_SHIFT,
    "the holder's number is above the flags");
_Static_assert(sizeof(struct rt_mutex) == sizeof(uint32_t), "a mutex is a futex word");

/*
 * What the calling thread writes into the locks that it takes; set together with its record. The
 * only thread of a process writes RT_MUTEX_FIRST instead, which needs no look-up. That has the
 * number 1, which no thread has but that of a machine's first process, for which it is right.
 */
extern _Thread_local uint32_t rt_mutex_mark PROCESSOR_THREAD_LOCAL;

#ifdef RT_WITHOUT_DEBUGGER
#define RT_MUTEX_MARK RT_MUTEX_HELD
#else
#define RT_MUTEX_MARK rt_mutex_mark
#endif

/* Does a thread hold the mutex? For functions that a thread calls while it holds the mutex. */
static inline bool rt_mutex_is_held(const struct rt_mutex *mutex)
{
	return (load_relaxed(&mutex->state) & RT_MUTEX_HELD) != 0;
}

/* Waits for a mutex that another thread holds; for rt_mutex_lock(). */
void rt_mutex_lock_slow(struct rt_mutex *mutex);

/* These two do not inform ThreadSanitizer; their callers do. */
static inline bool rt_mutex_try_unannounced(struct rt_mutex *mutex)
{
	uint32_t free = 0;
	if (rt_single_threaded() && load_relaxed(&mutex->state) == 0)
		store_relaxed(&mutex->state, RT_MUTEX_FIRST);
	else if (!cas_acquire(&mutex->state, &free, RT_MUTEX_MARK))
		return false;
	return true;
}

static inline void rt_mutex_unlock_unannounced(struct rt_mutex *mutex)
{
	if (rt_single_threaded())
		store_relaxed(&mutex->state, 0); /* no thread can sleep */
	else if (unlikely(exchange_release(&mutex->state, 0) & RT_MUTEX_SLEEPERS))
		rt_futex_wake(&mutex->state, 1);
}

/*
 * For the runtime's own data. Members that enter one after the other are not thereby ordered as far
 * as the program is concerned, so ThreadSanitizer is not informed.
 */
static inline void rt_mutex_lock_inside(struct rt_mutex *mutex)
{
	if (unlikely(!rt_mutex_try_unannounced(mutex)))
		rt_mutex_lock_slow(mutex);
	rt_tsan_ignore_begin();
}

static inline void rt_mutex_unlock_inside(struct rt_mutex *mutex)
{
	rt_tsan_ignore_end();
	rt_mutex_unlock_unannounced(mutex);
}

static inline bool rt_mutex_try(struct rt_mutex *mutex)
{
	if (!rt_mutex_try_unannounced(mutex))
		return false;
	rt_tsan_acquire_lock(mutex);
	return true;
}

static inline void rt_mutex_lock(struct rt_mutex *mutex)
{
	if (unlikely(!rt_mutex_try(mutex))) {
		rt_mutex_lock_slow(mutex);
		rt_tsan_acquire_lock(mutex);
	}
}

static inline void rt_mutex_unlock(struct rt_mutex *mutex)
{
	rt_tsan_release_lock(mutex);
	rt_mutex_unlock_unannounced(mutex);
}

#endif
