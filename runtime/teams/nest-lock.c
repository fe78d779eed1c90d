/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nestable locks that a tool observes, and those in separate memory. The other cases are inline in
 * the entry points.
 */
#include "nest-lock.h"

#include <stdlib.h>

#include "message.h"

struct rt_nest_lock *rt_nest_lock_new(unsigned hint, const void *caller)
{
	struct rt_nest_lock *lock = malloc(sizeof(*lock));

	if (!lock)
		rt_fatal("no memory for a nestable lock; the program ends here");
	rt_nest_lock_init(lock, hint, caller);
	return lock;
}

void rt_nest_lock_free(struct rt_nest_lock *lock, const void *caller)
{
	rt_nest_lock_destroy(lock, caller);
	free(lock);
}

_Noreturn void rt_nest_lock_missing(const void *variable)
{
	rt_fatal("the nestable lock at %p is used before omp_init_nest_lock() or after "
		 "omp_destroy_nest_lock(); the program ends here",
	    variable);
}

RT_COLD void rt_nest_lock_set_watched(struct rt_nest_lock *lock, const void *caller)
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

RT_COLD void rt_nest_lock_unset_watched(struct rt_nest_lock *lock, const void *caller)
{
	if (--lock->count > 0) {
		rt_emit_nest_lock(ompt_scope_end, (uintptr_t)lock, rt_tool_users_address(caller));
		return;
	}
	store_relaxed(&lock->owner, NULL);
	rt_mutex_unlock_watched(&lock->mutex, ompt_mutex_nest_lock, caller);
}

RT_COLD int rt_nest_lock_test_watched(struct rt_nest_lock *lock, const void *caller)
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
