/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nestable locks (OpenMP 5.2, 18.9), which tasks own. Programs of gcc have the lock itself in their
 * variable; those of clang and of Fortran have its address there.
 *
 * Who sees what:
 *   owner   relaxed. Only a task that holds the lock writes its own address, and clears it before
 *           it unlocks: a task that reads its own address therefore wrote it itself and has not
 *           unlocked since. What other tasks read does not matter, as long as it is not their own
 *           address
 *   count   only touched by the owner, published by the mutex
 *
 * caller: where the program called, for tools.
 */
#ifndef RT_NEST_LOCK_H
#define RT_NEST_LOCK_H
#include "events.h"
#include "initial-thread.h"
#include "mutex.h"
#include "program-mutex.h"
#include "wait-note.h"

struct rt_nest_lock {
	struct rt_mutex mutex;
	uint32_t count;
	_Atomic(struct rt_task *) owner;
};

/*
 * Makes a lock in separate memory; ends the process if there is none. hint: see
 * rt_lock_init_watched().
 */
struct rt_nest_lock *rt_nest_lock_new(unsigned hint, const void *caller);
void rt_nest_lock_free(struct rt_nest_lock *lock, const void *caller);

/* Ends the process, because the lock has not been made or is gone. */
_Noreturn void rt_nest_lock_missing(const void *variable);

/* The lock whose address is in the program's variable. */
static inline struct rt_nest_lock *rt_nest_lock_in(struct rt_nest_lock *const *variable)
{
	if (unlikely(*variable == NULL))
		rt_nest_lock_missing(variable);
	return *variable;
}

/* The functions below with events. */
void rt_nest_lock_set_watched(struct rt_nest_lock *lock, const void *caller);
void rt_nest_lock_unset_watched(struct rt_nest_lock *lock, const void *caller);
int rt_nest_lock_test_watched(struct rt_nest_lock *lock, const void *caller);

static inline void rt_nest_lock_init(struct rt_nest_lock *lock, unsigned hint, const void *caller)
{
	atomic_init(&lock->mutex.state, 0);
	lock->count = 0;
	atomic_init(&lock->owner, NULL);
	if (rt_watched(RT_AT_LOCKS))
		rt_lock_init_watched(lock, ompt_mutex_nest_lock, hint, caller);
}

static inline void rt_nest_lock_destroy(struct rt_nest_lock *lock, const void *caller)
{
	if (rt_watched(RT_AT_LOCKS))
		rt_lock_destroy_watched(lock, ompt_mutex_nest_lock, caller);
}

static inline void rt_nest_lock_set(struct rt_nest_lock *lock, const void *caller)
{
	struct rt_thread *self = rt_unwatched;
	struct rt_task *task;

	if (unlikely(self == NULL)) {
		rt_nest_lock_set_watched(lock, caller);
		return;
	}
	task = self->task;
	if (load_relaxed(&lock->owner) != task) {
		rt_mutex_lock_noted(&lock->mutex, RT_WAITING_LOCK);
		store_relaxed(&lock->owner, task);
		if (rt_watched(RT_BY_DEBUGGER))
			rt_mutex_note_taken(&lock->mutex, caller);
	}
	lock->count++;
}

static inline void rt_nest_lock_unset(struct rt_nest_lock *lock, const void *caller)
{
	if (rt_watched(RT_AT_MUTEXES)) {
		rt_nest_lock_unset_watched(lock, caller);
		return;
	}
	if (--lock->count > 0)
		return;
	store_relaxed(&lock->owner, NULL);
	rt_mutex_unlock_unannounced(&lock->mutex);
}

/* Returns the new depth, or 0 if another task holds the lock. */
static inline int rt_nest_lock_test(struct rt_nest_lock *lock, const void *caller)
{
	struct rt_thread *self = rt_unwatched;
	struct rt_task *task;

	if (unlikely(self == NULL))
		return rt_nest_lock_test_watched(lock, caller);
	task = self->task;
	if (load_relaxed(&lock->owner) != task) {
		if (!rt_mutex_try(&lock->mutex))
			return 0;
		store_relaxed(&lock->owner, task);
		if (rt_watched(RT_BY_DEBUGGER))
			rt_mutex_note_taken(&lock->mutex, caller);
	}
	return (int)++lock->count;
}

#endif
