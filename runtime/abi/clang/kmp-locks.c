/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenMP's locks as calls of the compiler: icx turns omp_set_lock() into one. A lock has eight
 * bytes. A simple lock uses four of them; a nestable lock stores the address of separate memory
 * there.
 */
#include "kmp.h"
#include "nest-lock.h"
#include "program-mutex.h"

static void init(struct rt_mutex *lock, unsigned hint, const void *caller)
{
	atomic_init(&lock->state, 0);
	if (rt_watched(RT_AT_LOCKS))
		rt_lock_init_watched(lock, ompt_mutex_lock, hint, caller);
}

KMP_ENTRY(void, __kmpc_init_lock, struct rt_mutex *lock)
{
	KMP_UNUSED();
	init(lock, 0, CALLER);
}

KMP_ENTRY(void, __kmpc_init_lock_with_hint, struct rt_mutex *lock, uintptr_t hint)
{
	KMP_UNUSED();
	init(lock, (unsigned)hint, CALLER);
}

KMP_ENTRY(void, __kmpc_destroy_lock, struct rt_mutex *lock)
{
	KMP_UNUSED();
	if (rt_watched(RT_AT_LOCKS))
		rt_lock_destroy_watched(lock, ompt_mutex_lock, CALLER);
}

KMP_ENTRY(void, __kmpc_set_lock, struct rt_mutex *lock)
{
	KMP_UNUSED();
	rt_mutex_lock_entry(lock, ompt_mutex_lock, RT_WAITING_LOCK);
}

KMP_ENTRY(void, __kmpc_unset_lock, struct rt_mutex *lock)
{
	KMP_UNUSED();
	rt_mutex_unlock_entry(lock, ompt_mutex_lock);
}

KMP_ENTRY(int32_t, __kmpc_test_lock, struct rt_mutex *lock)
{
	KMP_UNUSED();
	return rt_mutex_try_entry(lock, ompt_mutex_test_lock);
}

KMP_ENTRY(void, __kmpc_init_nest_lock, struct rt_nest_lock **lock)
{
	KMP_UNUSED();
	*lock = rt_nest_lock_new(0, CALLER);
}

KMP_ENTRY(void, __kmpc_init_nest_lock_with_hint, struct rt_nest_lock **lock, uintptr_t hint)
{
	KMP_UNUSED();
	*lock = rt_nest_lock_new((unsigned)hint, CALLER);
}

KMP_ENTRY(void, __kmpc_destroy_nest_lock, struct rt_nest_lock **lock)
{
	KMP_UNUSED();
	rt_nest_lock_free(rt_nest_lock_in(lock), CALLER);
	*lock = NULL;
}

KMP_ENTRY(void, __kmpc_set_nest_lock, struct rt_nest_lock **lock)
{
	KMP_UNUSED();
	rt_nest_lock_set(rt_nest_lock_in(lock), CALLER);
}

KMP_ENTRY(void, __kmpc_unset_nest_lock, struct rt_nest_lock **lock)
{
	KMP_UNUSED();
	rt_nest_lock_unset(rt_nest_lock_in(lock), CALLER);
}

KMP_ENTRY(int32_t, __kmpc_test_nest_lock, struct rt_nest_lock **lock)
{
	KMP_UNUSED();
	return rt_nest_lock_test(rt_nest_lock_in(lock), CALLER);
}
