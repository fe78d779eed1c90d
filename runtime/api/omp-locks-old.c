/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks of programs built for OpenMP 2.5: the versions OMP_1.0 of the lock routines. The nestable
 * lock has eight bytes, and threads own it, not tasks. Fortran passes both by reference, so the
 * same functions serve its names.
 *
 *   word      as in a mutex: 0 free; else RT_MUTEX_HELD and the kernel's number of the owning
 *             thread, with WAITERS if a thread may sleep. Taking the lock is acquire and pairs with
 *             the release that gives it back. A thread that finds its own mark in the word is the
 *             owner: no other thread writes that
 *   count     only touched by the owner
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "events.h"
#include "initial-thread.h"
#include "mutex.h"
#include "program-mutex.h"
#include "wait-note.h"

#define WAITERS ((uint32_t)RT_MUTEX_SLEEPERS)

struct old_nest_lock {
	_Atomic uint32_t word;
	uint32_t count;
};

/*
 * Binds a function to the version OMP_1.0 of a C name and of its Fortran name. The version script
 * makes everything else local, including the names in this file.
 */
#define OLD_VERSION(name)                                                                          \
	__asm__(".symver old_" #name ", omp_" #name "@OMP_1.0\n"                                   \
		".symver old_" #name "_, omp_" #name "_@OMP_1.0")

#define ALIAS(of) __attribute__((alias(#of)))

#pragma GCC visibility push(default)
void old_init_lock(struct rt_mutex *lock);
void old_destroy_lock(struct rt_mutex *lock);
void old_set_lock(struct rt_mutex *lock);
void old_unset_lock(struct rt_mutex *lock);
int old_test_lock(struct rt_mutex *lock);
void old_init_nest_lock(struct old_nest_lock *lock);
void old_destroy_nest_lock(struct old_nest_lock *lock);
void old_set_nest_lock(struct old_nest_lock *lock);
void old_unset_nest_lock(struct old_nest_lock *lock);
int old_test_nest_lock(struct old_nest_lock *lock);

void old_init_lock_(struct rt_mutex *lock) ALIAS(old_init_lock);
void old_destroy_lock_(struct rt_mutex *lock) ALIAS(old_destroy_lock);
void old_set_lock_(struct rt_mutex *lock) ALIAS(old_set_lock);
void old_unset_lock_(struct rt_mutex *lock) ALIAS(old_unset_lock);
int old_test_lock_(struct rt_mutex *lock) ALIAS(old_test_lock);
void old_init_nest_lock_(struct old_nest_lock *lock) ALIAS(old_init_nest_lock);
void old_destroy_nest_lock_(struct old_nest_lock *lock) ALIAS(old_destroy_nest_lock);
void old_set_nest_lock_(struct old_nest_lock *lock) ALIAS(old_set_nest_lock);
void old_unset_nest_lock_(struct old_nest_lock *lock) ALIAS(old_unset_nest_lock);
int old_test_nest_lock_(struct old_nest_lock *lock) ALIAS(old_test_nest_lock);
#pragma GCC visibility pop

OLD_VERSION(init_lock);
OLD_VERSION(destroy_lock);
OLD_VERSION(set_lock);
OLD_VERSION(unset_lock);
OLD_VERSION(test_lock);
OLD_VERSION(init_nest_lock);
OLD_VERSION(destroy_nest_lock);
OLD_VERSION(set_nest_lock);
OLD_VERSION(unset_nest_lock);
OLD_VERSION(test_nest_lock);

void old_init_lock(struct rt_mutex *lock)
{
	atomic_init(&lock->state, 0);
	if (rt_watched(RT_AT_LOCKS))
		rt_lock_init_watched(lock, ompt_mutex_lock, 0, RT_RETURN_ADDRESS);
}

void old_destroy_lock(struct rt_mutex *lock)
{
	if (rt_watched(RT_AT_LOCKS))
		rt_lock_destroy_watched(lock, ompt_mutex_lock, RT_RETURN_ADDRESS);
}

void old_set_lock(struct rt_mutex *lock)
{
	rt_mutex_lock_entry(lock, ompt_mutex_lock, RT_WAITING_LOCK);
}

void old_unset_lock(struct rt_mutex *lock)
{
	rt_mutex_unlock_entry(lock, ompt_mutex_lock);
}

int old_test_lock(struct rt_mutex *lock)
{
	return rt_mutex_try_entry(lock, ompt_mutex_test_lock);
}

void old_init_nest_lock(struct old_nest_lock *lock)
{
	atomic_init(&lock->word, 0);
	lock->count = 0;
	if (rt_watched(RT_AT_LOCKS))
		rt_lock_init_watched(lock, ompt_mutex_nest_lock, 0, RT_RETURN_ADDRESS);
}

void old_destroy_nest_lock(struct old_nest_lock *lock)
{
	if (rt_watched(RT_AT_LOCKS))
		rt_lock_destroy_watched(lock, ompt_mutex_nest_lock, RT_RETURN_ADDRESS);
}

/* After a sleep the thread takes the word with WAITERS set, since others may still sleep. */
static void take_slowly(_Atomic uint32_t *word, uint32_t mark)
{
	uint32_t seen = load_relaxed(word);

	for (;;) {
		if (seen == 0) {
			if (cas_acquire(word, &seen, mark | WAITERS))
				return;
			continue;
		}
		if ((seen & WAITERS) == 0 && !cas_relaxed(word, &seen, seen | WAITERS))
			continue;
		rt_futex_wait(word, seen | WAITERS);
		seen = load_relaxed(word);
	}
}

/* Debuggers read it like that of any lock. */
static uint32_t own_mark(void)
{
	return (uint32_t)syscall(SYS_gettid) << RT_MUTEX_HOLDER_SHIFT | RT_MUTEX_HELD;
}

static bool is_owner(struct old_nest_lock *lock, uint32_t mark)
{
	return (load_relaxed(&lock->word) & ~WAITERS) == mark;
}

/* Waits for a lock of another thread; noted for tools if the thread has a record. */
static void take(struct old_nest_lock *lock, uint32_t mark)
{
	struct rt_thread *self = rt_current;
	uint32_t free = 0;
	struct rt_waiting outer;

	if (!cas_acquire(&lock->word, &free, mark)) {
		if (self != NULL)
			rt_waiting_begin(self, &outer, RT_WAITING_LOCK, &lock->word, free, 0);
		take_slowly(&lock->word, mark);
		if (self != NULL)
			rt_waiting_end(self, &outer);
	}
	rt_tsan_acquire_lock(lock);
}

static bool try_take(struct old_nest_lock *lock, uint32_t mark)
{
	uint32_t free = 0;

	if (!cas_acquire(&lock->word, &free, mark))
		return false;
	rt_tsan_acquire_lock(lock);
	return true;
}

/* The events before and after a lock is taken; first: the thread did not hold it before. */
static RT_COLD void emit_acquire(struct old_nest_lock *lock, ompt_mutex_t kind, const void *caller)
{
	rt_tool_need_thread();
	rt_emit_mutex_acquire(
	    kind, 0, RT_MUTEX_IMPL_FUTEX, (uintptr_t)lock, rt_tool_users_address(caller));
}

static RT_COLD void emit_acquired(
    struct old_nest_lock *lock, ompt_mutex_t kind, bool first, const void *caller)
{
	if (first)
		rt_emit_mutex_acquired(kind, (uintptr_t)lock, rt_tool_users_address(caller));
	else
		rt_emit_nest_lock(ompt_scope_begin, (uintptr_t)lock, rt_tool_users_address(caller));
}

static RT_COLD void emit_released(struct old_nest_lock *lock, bool last, const void *caller)
{
	if (last)
		rt_emit_mutex_released(
		    ompt_mutex_nest_lock, (uintptr_t)lock, rt_tool_users_address(caller));
	else
		rt_emit_nest_lock(ompt_scope_end, (uintptr_t)lock, rt_tool_users_address(caller));
}

void old_set_nest_lock(struct old_nest_lock *lock)
{
	uint32_t mark = own_mark();
	bool first = !is_owner(lock, mark), has_events = rt_watched(RT_AT_ROUTINES);

	if (unlikely(has_events))
		emit_acquire(lock, ompt_mutex_nest_lock, RT_RETURN_ADDRESS);
	if (first)
		take(lock, mark);
	lock->count++;
	if (unlikely(has_events))
		emit_acquired(lock, ompt_mutex_nest_lock, first, RT_RETURN_ADDRESS);
}

void old_unset_nest_lock(struct old_nest_lock *lock)
{
	bool last = --lock->count == 0;

	if (last) {
		rt_tsan_release_lock(lock);
		if (exchange_release(&lock->word, 0) & WAITERS)
			rt_futex_wake(&lock->word, 1);
	}
	if (rt_watched(RT_AT_ROUTINES))
		emit_released(lock, last, RT_RETURN_ADDRESS);
}

int old_test_nest_lock(struct old_nest_lock *lock)
{
	uint32_t mark = own_mark();
	bool first = !is_owner(lock, mark), has_events = rt_watched(RT_AT_ROUTINES);
	int count;

	if (unlikely(has_events))
		emit_acquire(lock, ompt_mutex_test_nest_lock, RT_RETURN_ADDRESS);
	if (first && !try_take(lock, mark))
		return 0;
	count = (int)++lock->count;
	if (unlikely(has_events))
		emit_acquired(lock, ompt_mutex_test_nest_lock, first, RT_RETURN_ADDRESS);
	return count;
}
