/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions as clang's code calls for them: how a member combines its copies with the original
 * variables. The entry point returns
 *
 *   1         by plain code, between this call and that of the end: under the lock, or alone in its
 *             team
 *   2         by an atomic operation for each variable, if the compiler has such code; with nowait
 *             no call of the end follows
 *   0         not at all (never returned here)
 *
 * If results have to be the same in each run, the members combine in the order of their numbers: as
 * an ordered loop with one iteration for each.
 *
 * Atomic operations do not wait for a member that has lost its processor meanwhile. From a few
 * variables on, the lock, which a member fetches only once, costs less.
 */
#include "events.h"
#include "kmp-work-left.h"
#include "kmp.h"
#include "loops.h"
#include "process.h"
#include "program-mutex.h"
#include "synchronization.h"
#include "team.h"
#include "teams.h"
#include "wait-note.h"

enum { ATOMICS_AT_MOST = 4 };

enum { COMBINE = 1, COMBINE_BY_ATOMICS };

/* A member that has to combine later waits here. */
static RT_COLD void await_turn(struct rt_thread *self)
{
	struct rt_loop_args members = {.kind = RT_LOOP_STATIC,
	    .end = self->team->size,
	    .step = 1,
	    .count = self->team->size,
	    .chunk = 1};

	kmp_leave_loop(self);
	rt_loop_begin(self, &members, RT_SHARE_ORDERED);
	rt_loop_next(self);
	rt_ordered_begin(self);
}

static RT_COLD int32_t begin_ordered(struct rt_mutex *mutex, const void *caller)
{
	struct rt_thread *self = rt_self();

	if (self->team->size > 1)
		await_turn(self);
	rt_reduction_begin_watched(mutex, caller);
	self->member->reduction = mutex;
	return COMBINE;
}

static RT_COLD int32_t begin_watched(struct rt_mutex *mutex, const void *caller)
{
	rt_reduction_begin_watched(mutex, caller);
	rt_self()->member->reduction = mutex;
	return COMBINE;
}

static inline __attribute__((always_inline)) int32_t begin(
    const struct kmp_ident *ident, int32_t variables, struct rt_mutex *mutex)
{
	struct rt_thread *self = rt_unwatched;

	if (unlikely(rt_process.ordered_reductions))
		return begin_ordered(mutex, CALLER);
	if (unlikely(self == NULL))
		return begin_watched(mutex, CALLER);
	if (self->team->size == 1)
		return COMBINE;
	if (variables <= ATOMICS_AT_MOST && ident != NULL &&
	    (ident->flags & KMP_IDENT_ATOMIC_REDUCE))
		return COMBINE_BY_ATOMICS;
	if (unlikely(!rt_mutex_try_unannounced(mutex)))
		rt_mutex_lock_noted_slow(mutex, RT_WAITING_MUTEX);
	self->member->reduction = mutex;
	return COMBINE;
}

static RT_COLD void end_watched(struct rt_thread *self, const void *caller)
{
	struct rt_mutex *mutex = self->member->reduction;

	self->member->reduction = NULL;
	rt_reduction_end_watched(mutex, caller);
	if (!rt_process.ordered_reductions || self->team->size == 1)
		return;
	rt_ordered_end(self);
	rt_loop_end(self);
}

static inline __attribute__((always_inline)) void end(struct rt_thread *self)
{
	struct rt_mutex *mutex = self->member->reduction;

	if (mutex == NULL)
		return;
	if (unlikely(rt_unwatched == NULL || rt_process.ordered_reductions)) {
		end_watched(self, CALLER);
		return;
	}
	self->member->reduction = NULL;
	rt_mutex_unlock_unannounced(mutex);
}

KMP_ENTRY(int32_t, __kmpc_reduce_nowait, int32_t variables, size_t size, void *data,
    void (*combine)(void *, void *), struct rt_mutex *mutex)
{
	(void)gtid;
	(void)size;
	(void)data;
	(void)combine;
	return begin(ident, variables, mutex);
}

LONE_SAME_ENTRY(int32_t, __kmpc_reduce, __kmpc_reduce_nowait, const struct kmp_ident *ident,
    int32_t gtid, int32_t variables, size_t size, void *data, void (*combine)(void *, void *),
    struct rt_mutex *mutex);

KMP_ENTRY(void, __kmpc_end_reduce_nowait, struct rt_mutex *mutex)
{
	KMP_UNUSED();
	(void)mutex;
	end(rt_self());
}

/* All members call it, and leave when all of them have combined their copies. */
KMP_ENTRY(void, __kmpc_end_reduce, struct rt_mutex *mutex)
{
	struct rt_thread *self = rt_unwatched;

	KMP_UNUSED();
	(void)mutex;
	end(rt_self());
	RT_PASS_BARRIER(self, ompt_sync_region_barrier_implementation);
}
