/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simple and nestable locks (OpenMP 5.1, 3.9) in the layout of gcc's omp.h since OpenMP 3.0, where
 * tasks own them. Programs older than that use the versions OMP_1.0 of the routines.
 *
 * Who sees what, for the nestable lock:
 *   owner   relaxed. Only a task that holds the lock writes its own address, and clears it before
 *           it unlocks: a task that reads its own address therefore wrote it itself and has not
 *           unlocked since; what others read does not matter as long as it is not their own
 *           address.
 *   count   only touched by the owner, published by the mutex.
 */
#include "initial-thread.h"
#include "mutex.h"
#include "omp-api.h"
#include "program-mutex.h"
#include "wait-note.h"

struct nest_lock {
	struct rt_mutex mutex;
	uint32_t count;
	_Atomic(struct rt_task *) owner;
};

_Static_assert(sizeof(struct rt_mutex) == sizeof(omp_lock_t), "the program's locks have this size");
_Static_assert(sizeof(struct nest_lock) == sizeof(omp_nest_lock_t), "and this one");

static struct rt_mutex *simple(omp_lock_t *lock)
{
	return (struct rt_mutex *)lock;
}

static struct nest_lock *nest(omp_nest_lock_t *lock)
{
	return (struct nest_lock *)lock;
}

void omp_init_lock(omp_lock_t *lock)
{
	atomic_init(&simple(lock)->state, 0);
}

/* One kind of lock serves every hint. */
void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint)
{
	(void)hint;
	omp_init_lock(lock);
}

void omp_destroy_lock(omp_lock_t *lock)
{
	(void)lock;
}

void omp_set_lock(omp_lock_t *lock)
{
	rt_mutex_lock_noted(simple(lock), RT_WAITING_LOCK);
}

void omp_unset_lock(omp_lock_t *lock)
{
	rt_mutex_unlock(simple(lock));
}

int omp_test_lock(omp_lock_t *lock)
{
	return rt_mutex_try(simple(lock));
}

void omp_init_nest_lock(omp_nest_lock_t *lock)
{
	atomic_init(&nest(lock)->mutex.state, 0);
	nest(lock)->count = 0;
	atomic_init(&nest(lock)->owner, NULL);
}

void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint)
{
	(void)hint;
	omp_init_nest_lock(lock);
}

void omp_destroy_nest_lock(omp_nest_lock_t *lock)
{
	(void)lock;
}

void omp_set_nest_lock(omp_nest_lock_t *lock)
{
	struct nest_lock *inner = nest(lock);
	struct rt_task *task = rt_self()->task;

	if (load_relaxed(&inner->owner) != task) {
		rt_mutex_lock_noted(&inner->mutex, RT_WAITING_LOCK);
		store_relaxed(&inner->owner, task);
	}
	inner->count++;
}

void omp_unset_nest_lock(omp_nest_lock_t *lock)
{
	struct nest_lock *inner = nest(lock);

	if (--inner->count > 0)
		return;
	store_relaxed(&inner->owner, NULL);
	rt_mutex_unlock(&inner->mutex);
}

int omp_test_nest_lock(omp_nest_lock_t *lock)
{
	struct nest_lock *inner = nest(lock);
	struct rt_task *task = rt_self()->task;

	if (load_relaxed(&inner->owner) != task) {
		if (!rt_mutex_try(&inner->mutex))
			return 0;
		store_relaxed(&inner->owner, task);
	}
	return (int)++inner->count;
}
