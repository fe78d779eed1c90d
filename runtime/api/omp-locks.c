/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines of simple and nestable locks (OpenMP 5.1, 3.9) in the layout of gcc's omp.h since
 * OpenMP 3.0, where tasks own them; also under their Fortran names. Older programs use the versions
 * OMP_1.0 of the routines. Programs of clang have a pointer in either lock, as Fortran has: they
 * use libomp's version of the nestable ones.
 */
#include "abi.h"
#include "nest-lock.h"
#include "omp-api.h"
#include "program-mutex.h"
#include "versions.h"

_Static_assert(sizeof(struct rt_mutex) == sizeof(omp_lock_t), "the program's locks have this size");
_Static_assert(sizeof(struct rt_nest_lock) == sizeof(omp_nest_lock_t), "and this one");

enum { NO_HINT = 0 }; /* omp_sync_hint_none */

static struct rt_mutex *simple(omp_lock_t *lock)
{
	return (struct rt_mutex *)lock;
}

static struct rt_nest_lock *nest(omp_nest_lock_t *lock)
{
	return (struct rt_nest_lock *)lock;
}

/* One kind of lock serves all hints, which only tools see. */
static inline void init(omp_lock_t *lock, unsigned hint, const void *caller)
{
	atomic_init(&simple(lock)->state, 0);
	if (rt_watched(RT_AT_LOCKS))
		rt_lock_init_watched(lock, ompt_mutex_lock, hint, caller);
}

ROUTINE(void, omp_init_lock, (omp_lock_t * lock))
{
	init(lock, NO_HINT, RT_RETURN_ADDRESS);
}

ROUTINE(void, omp_init_lock_with_hint, (omp_lock_t * lock, omp_sync_hint_t hint))
{
	init(lock, (unsigned)hint, RT_RETURN_ADDRESS);
}

ROUTINE(void, omp_destroy_lock, (omp_lock_t * lock))
{
	if (rt_watched(RT_AT_LOCKS))
		rt_lock_destroy_watched(lock, ompt_mutex_lock, RT_RETURN_ADDRESS);
}

ROUTINE(void, omp_set_lock, (omp_lock_t * lock))
{
	rt_mutex_lock_entry(simple(lock), ompt_mutex_lock, RT_WAITING_LOCK);
}

ROUTINE(void, omp_unset_lock, (omp_lock_t * lock))
{
	rt_mutex_unlock_entry(simple(lock), ompt_mutex_lock);
}

ROUTINE(int, omp_test_lock, (omp_lock_t * lock))
{
	return rt_mutex_try_entry(simple(lock), ompt_mutex_test_lock);
}

void omp_init_nest_lock(omp_nest_lock_t *lock)
{
	rt_nest_lock_init(nest(lock), NO_HINT, RT_RETURN_ADDRESS);
}

void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint)
{
	rt_nest_lock_init(nest(lock), (unsigned)hint, RT_RETURN_ADDRESS);
}

void omp_destroy_nest_lock(omp_nest_lock_t *lock)
{
	rt_nest_lock_destroy(nest(lock), RT_RETURN_ADDRESS);
}

void omp_set_nest_lock(omp_nest_lock_t *lock)
{
	rt_nest_lock_set(nest(lock), RT_RETURN_ADDRESS);
}

void omp_unset_nest_lock(omp_nest_lock_t *lock)
{
	rt_nest_lock_unset(nest(lock), RT_RETURN_ADDRESS);
}

int omp_test_nest_lock(omp_nest_lock_t *lock)
{
	return rt_nest_lock_test(nest(lock), RT_RETURN_ADDRESS);
}

/*
 * Fortran's names. Arguments come by reference, so simple locks have the same functions. A variable
 * of omp_nest_lock_kind has eight bytes, too few for the lock, so it contains the lock's address.
 */
#pragma GCC visibility push(default)
SAME_ENTRY(void, omp_init_lock_, omp_init_lock, omp_lock_t *lock);
SAME_ENTRY(void, omp_destroy_lock_, omp_destroy_lock, omp_lock_t *lock);
SAME_ENTRY(void, omp_set_lock_, omp_set_lock, omp_lock_t *lock);
SAME_ENTRY(void, omp_unset_lock_, omp_unset_lock, omp_lock_t *lock);
SAME_ENTRY(int32_t, omp_test_lock_, omp_test_lock, omp_lock_t *lock);

ROUTINE(void, omp_init_lock_with_hint_, (omp_lock_t * lock, const uint32_t *hint))
{
	init(lock, *hint, RT_RETURN_ADDRESS);
}

ROUTINE(void, omp_init_nest_lock_, (struct rt_nest_lock * *lock))
{
	*lock = rt_nest_lock_new(NO_HINT, RT_RETURN_ADDRESS);
}

ROUTINE(void, omp_init_nest_lock_with_hint_, (struct rt_nest_lock * *lock, const uint32_t *hint))
{
	*lock = rt_nest_lock_new(*hint, RT_RETURN_ADDRESS);
}

/* The functions for clang and flang, under the C name. */
LONE_ROUTINE(
    void, clang_omp_init_nest_lock_with_hint, (struct rt_nest_lock * *lock, omp_sync_hint_t hint))
{
	*lock = rt_nest_lock_new((unsigned)hint, RT_RETURN_ADDRESS);
}

ROUTINE(void, omp_destroy_nest_lock_, (struct rt_nest_lock * *lock))
{
	rt_nest_lock_free(rt_nest_lock_in(lock), RT_RETURN_ADDRESS);
	*lock = NULL;
}

ROUTINE(void, omp_set_nest_lock_, (struct rt_nest_lock * *lock))
{
	rt_nest_lock_set(rt_nest_lock_in(lock), RT_RETURN_ADDRESS);
}

ROUTINE(void, omp_unset_nest_lock_, (struct rt_nest_lock * *lock))
{
	rt_nest_lock_unset(rt_nest_lock_in(lock), RT_RETURN_ADDRESS);
}

ROUTINE(int32_t, omp_test_nest_lock_, (struct rt_nest_lock * *lock))
{
	return rt_nest_lock_test(rt_nest_lock_in(lock), RT_RETURN_ADDRESS);
}
#pragma GCC visibility pop

ONLY_IN_LIBOMP(omp_init_nest_lock, omp_init_nest_lock_);
ONLY_IN_LIBOMP(omp_init_nest_lock_with_hint, clang_omp_init_nest_lock_with_hint);
ONLY_IN_LIBOMP(omp_destroy_nest_lock, omp_destroy_nest_lock_);
ONLY_IN_LIBOMP(omp_set_nest_lock, omp_set_nest_lock_);
ONLY_IN_LIBOMP(omp_unset_nest_lock, omp_unset_nest_lock_);
ONLY_IN_LIBOMP(omp_test_nest_lock, omp_test_nest_lock_);
