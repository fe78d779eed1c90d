/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simple and nestable locks (OpenMP 5.1, 3.9) in the layout of gcc's omp.h since OpenMP 3.0, where
 * tasks own them; also by their Fortran names. Programs older than that use the versions OMP_1.0 of
 * the routines.
 *
 * Who sees what, for the nestable lock:
 *   owner   relaxed. Only a task that holds the lock writes its own address, and clears it before
 *           it unlocks: a task that reads its own address therefore wrote it itself and has not
 *           unlocked since; what others read does not matter as long as it is not their own
 *           address.
 *   count   only touched by the owner, published by the mutex.
 */
#include <stdlib.h>

#include "events.h"
#include "initial-thread.h"
#include "message.h"
#include "mutex.h"
#include "omp-api.h"
#include "program-mutex.h"
#include "versions.h"
#include "wait-note.h"

struct nest_lock {
	struct rt_mutex mutex;
	uint32_t count;
	_Atomic(struct rt_task *) owner;
};

_Static_assert(sizeof(struct rt_mutex) == sizeof(omp_lock_t), "the program's locks have this size");
_Static_assert(sizeof(struct nest_lock) == sizeof(omp_nest_lock_t), "and this one");

enum { NO_HINT = 0 }; /* omp_sync_hint_none */

static struct rt_mutex *simple(omp_lock_t *lock)
{
	return (struct rt_mutex *)lock;
}

static struct nest_lock *nest(omp_nest_lock_t *lock)
{
	return (struct nest_lock *)lock;
}

/* One kind of lock serves every hint; only tools learn it. */
static inline void init(omp_lock_t *lock, unsigned hint, const void *caller)
{
	atomic_init(&simple(lock)->state, 0);
	if (unlikely(rt_tool_is_active()))
		rt_lock_init_watched(lock, ompt_mutex_lock, hint, caller);
}

void omp_init_lock(omp_lock_t *lock)
{
	init(lock, NO_HINT, RT_RETURN_ADDRESS);
}

void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint)
{
	init(lock, (unsigned)hint, RT_RETURN_ADDRESS);
}

void omp_destroy_lock(omp_lock_t *lock)
{
	if (unlikely(rt_tool_is_active()))
		rt_lock_destroy_watched(lock, ompt_mutex_lock, RT_RETURN_ADDRESS);
}

void omp_set_lock(omp_lock_t *lock)
{
	rt_mutex_lock_entry(simple(lock), ompt_mutex_lock, RT_WAITING_LOCK);
}

void omp_unset_lock(omp_lock_t *lock)
{
	rt_mutex_unlock_entry(simple(lock), ompt_mutex_lock);
}

int omp_test_lock(omp_lock_t *lock)
{
	return rt_mutex_try_entry(simple(lock), ompt_mutex_test_lock);
}

static inline void init_nest(struct nest_lock *lock, unsigned hint, const void *caller)
{
	atomic_init(&lock->mutex.state, 0);
	lock->count = 0;
	atomic_init(&lock->owner, NULL);
	if (unlikely(rt_tool_is_active()))
		rt_lock_init_watched(lock, ompt_mutex_nest_lock, hint, caller);
}

static inline void destroy_nest(struct nest_lock *lock, const void *caller)
{
	if (unlikely(rt_tool_is_active()))
		rt_lock_destroy_watched(lock, ompt_mutex_nest_lock, caller);
}

static RT_COLD void set_nest_watched(struct nest_lock *lock, const void *caller)
{
	struct rt_task *task = rt_self()->task;

	if (load_relaxed(&lock->owner) != task) {
		rt_mutex_lock_watched(&lock->mutex, ompt_mutex_nest_lock, caller);
		store_relaxed(&lock->owner, task);
		lock->count++;
		return;
	}
	rt_emit_mutex_acquire(ompt_mutex_nest_lock, 0, RT_MUTEX_IMPL_FUTEX, (uintptr_t)lock,
	    rt_tool_users_address(caller));
	lock->count++;
	rt_emit_nest_lock(ompt_scope_begin, (uintptr_t)lock, rt_tool_users_address(caller));
}

static inline void set_nest(struct nest_lock *lock, const void *caller)
{
	struct rt_thread *self = rt_unwatched;
	struct rt_task *task;

	if (unlikely(self == NULL)) {
		set_nest_watched(lock, caller);
		return;
	}
	task = self->task;
	if (load_relaxed(&lock->owner) != task) {
		rt_mutex_lock_noted(&lock->mutex, RT_WAITING_LOCK);
		store_relaxed(&lock->owner, task);
	}
	lock->count++;
}

static RT_COLD void unset_nest_watched(struct nest_lock *lock, const void *caller)
{
	if (--lock->count > 0) {
		rt_emit_nest_lock(ompt_scope_end, (uintptr_t)lock, rt_tool_users_address(caller));
		return;
	}
	store_relaxed(&lock->owner, NULL);
	rt_mutex_unlock_watched(&lock->mutex, ompt_mutex_nest_lock, caller);
}

static inline void unset_nest(struct nest_lock *lock, const void *caller)
{
	if (unlikely(rt_mutexes_are_watched())) {
		unset_nest_watched(lock, caller);
		return;
	}
	if (--lock->count > 0)
		return;
	store_relaxed(&lock->owner, NULL);
	rt_mutex_unlock_unannounced(&lock->mutex);
}

static RT_COLD int test_nest_watched(struct nest_lock *lock, const void *caller)
{
	struct rt_task *task = rt_self()->task;

	if (load_relaxed(&lock->owner) != task) {
		if (!rt_mutex_try_watched(&lock->mutex, ompt_mutex_test_nest_lock, caller))
			return 0;
		store_relaxed(&lock->owner, task);
		return (int)++lock->count;
	}
	rt_emit_mutex_acquire(ompt_mutex_test_nest_lock, 0, RT_MUTEX_IMPL_FUTEX, (uintptr_t)lock,
	    rt_tool_users_address(caller));
	lock->count++;
	rt_emit_nest_lock(ompt_scope_begin, (uintptr_t)lock, rt_tool_users_address(caller));
	return (int)lock->count;
}

static inline int test_nest(struct nest_lock *lock, const void *caller)
{
	struct rt_thread *self = rt_unwatched;
	struct rt_task *task;

	if (unlikely(self == NULL))
		return test_nest_watched(lock, caller);
	task = self->task;
	if (load_relaxed(&lock->owner) != task) {
		if (!rt_mutex_try(&lock->mutex))
			return 0;
		store_relaxed(&lock->owner, task);
	}
	return (int)++lock->count;
}

void omp_init_nest_lock(omp_nest_lock_t *lock)
{
	init_nest(nest(lock), NO_HINT, RT_RETURN_ADDRESS);
}

void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint)
{
	init_nest(nest(lock), (unsigned)hint, RT_RETURN_ADDRESS);
}

void omp_destroy_nest_lock(omp_nest_lock_t *lock)
{
	destroy_nest(nest(lock), RT_RETURN_ADDRESS);
}

void omp_set_nest_lock(omp_nest_lock_t *lock)
{
	set_nest(nest(lock), RT_RETURN_ADDRESS);
}

void omp_unset_nest_lock(omp_nest_lock_t *lock)
{
	unset_nest(nest(lock), RT_RETURN_ADDRESS);
}

int omp_test_nest_lock(omp_nest_lock_t *lock)
{
	return test_nest(nest(lock), RT_RETURN_ADDRESS);
}

/*
 * Fortran's names. Arguments come by reference, so that simple locks have the same functions. A
 * variable of omp_nest_lock_kind has eight bytes, too few for the lock: it holds its address.
 */
#define ALIAS(of) __attribute__((alias(#of)))
#define ROUTINE(type, name, parameters)                                                            \
	type name parameters;                                                                      \
	type name parameters

#pragma GCC visibility push(default)
void omp_init_lock_(omp_lock_t *lock) ALIAS(omp_init_lock);
void omp_destroy_lock_(omp_lock_t *lock) ALIAS(omp_destroy_lock);
void omp_set_lock_(omp_lock_t *lock) ALIAS(omp_set_lock);
void omp_unset_lock_(omp_lock_t *lock) ALIAS(omp_unset_lock);
int32_t omp_test_lock_(omp_lock_t *lock) ALIAS(omp_test_lock);

ROUTINE(void, omp_init_lock_with_hint_, (omp_lock_t * lock, const uint32_t *hint))
{
	init(lock, *hint, RT_RETURN_ADDRESS);
}

static void new_nest(struct nest_lock **lock, unsigned hint, const void *caller)
{
	*lock = malloc(sizeof(**lock));
	if (!*lock)
		rt_fatal("no memory for a nestable lock; the program ends here");
	init_nest(*lock, hint, caller);
}

ROUTINE(void, omp_init_nest_lock_, (struct nest_lock * *lock))
{
	new_nest(lock, NO_HINT, RT_RETURN_ADDRESS);
}

ROUTINE(void, omp_init_nest_lock_with_hint_, (struct nest_lock * *lock, const uint32_t *hint))
{
	new_nest(lock, *hint, RT_RETURN_ADDRESS);
}

ROUTINE(void, omp_destroy_nest_lock_, (struct nest_lock * *lock))
{
	destroy_nest(*lock, RT_RETURN_ADDRESS);
	free(*lock);
	*lock = NULL;
}

ROUTINE(void, omp_set_nest_lock_, (struct nest_lock * *lock))
{
	set_nest(*lock, RT_RETURN_ADDRESS);
}

ROUTINE(void, omp_unset_nest_lock_, (struct nest_lock * *lock))
{
	unset_nest(*lock, RT_RETURN_ADDRESS);
}

ROUTINE(int32_t, omp_test_nest_lock_, (struct nest_lock * *lock))
{
	return test_nest(*lock, RT_RETURN_ADDRESS);
}
#pragma GCC visibility pop

/* The nestable ones of libomp's have another layout. */
ALSO_IN_LIBOMP(omp_init_lock, omp_init_lock_with_hint, omp_destroy_lock, omp_set_lock,
    omp_unset_lock, omp_test_lock, omp_init_lock_, omp_init_lock_with_hint_, omp_destroy_lock_,
    omp_set_lock_, omp_unset_lock_, omp_test_lock_);
