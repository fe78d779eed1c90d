/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier, single, scope, masked, critical, atomic, reductions and ordered, as gcc calls them. The
 * forms of GCC 17 are those that Debian's gcc-snapshot of 2026-10-20 emits: the names of its
 * libgomp, the arguments and order of its code. The forms that another call ends (_with_end) occur
 * only with -fopenmp-ompt.
 */
#include "synchronization.h"

#include "abi.h"
#include "cancel.h"
#include "events.h"
#include "loop-entry.h"
#include "loops.h"
#include "mutex.h"
#include "program-mutex.h"
#include "race.h"
#include "single.h"
#include "teams.h"
#include "wait-note.h"
#include "watch.h"
#include "work-events.h"

RT_COLD bool rt_barrier_watched(ompt_sync_region_t kind, const void *caller, void *frame)
{
	struct rt_thread *self = rt_self();

	rt_race_lane_barrier(self);
	if (!rt_watched(RT_BY_TOOL))
		return rt_team_barrier(self);
	return rt_team_barrier_with_tool(rt_tool_note_call(self, caller, frame), kind);
}

RT_COLD bool rt_cancel_barrier_watched(ompt_sync_region_t kind, const void *caller, void *frame)
{
	bool cancelled = rt_barrier_watched(kind, caller, frame);

	if (cancelled)
		rt_cancel_detected(caller);
	return cancelled;
}

/*
 * GCC 17's kinds of barriers. BARRIER_OF_PARALLEL are those with which a region begins, for copyin
 * and for reductions whose initial value depends on the original. gcc does not call the barrier at
 * a region's end, which is what tools understand by implicit_parallel.
 */
enum { BARRIER_OF_PARALLEL, BARRIER_OF_WORKSHARE, BARRIER_EXPLICIT };

static ompt_sync_region_t barrier_kind(int kind)
{
	switch (kind) {
	case BARRIER_OF_WORKSHARE:
		return ompt_sync_region_barrier_implicit_workshare;
	case BARRIER_EXPLICIT:
		return ompt_sync_region_barrier_explicit;
	case BARRIER_OF_PARALLEL:
	default:
		return ompt_sync_region_barrier_implementation;
	}
}

/*
 * gcc up to 16 calls this for barrier constructs, and at the end of the work-sharing constructs
 * that it compiles without the runtime (static loops): to tools all are explicit barriers.
 */
ENTRY(void, GOMP_barrier, void)
{
	RT_PASS_BARRIER(rt_unwatched, ompt_sync_region_barrier_explicit);
}

ENTRY(bool, GOMP_barrier_cancel, void)
{
	return RT_PASS_CANCEL_BARRIER(rt_unwatched, ompt_sync_region_barrier_explicit);
}

ENTRY(void, GOMP_barrier_ext, int kind)
{
	RT_PASS_BARRIER(rt_unwatched, barrier_kind(kind));
}

ENTRY(bool, GOMP_barrier_cancel_ext, int kind)
{
	return RT_PASS_CANCEL_BARRIER(rt_unwatched, barrier_kind(kind));
}

RT_COLD bool rt_single_claim_watched(const void *caller)
{
	struct rt_thread *self = rt_self();
	bool executes;

	rt_race_pause(self);
	executes = rt_single_claim(self);

	if (rt_watched(RT_BY_RACE) && self->team->size > 1)
		rt_race_take_single(executes);
	if (rt_watched(RT_BY_TOOL))
		rt_work_begin_single(self, executes, caller);
	return executes;
}

ENTRY(bool, GOMP_single_start, void)
{
	struct rt_thread *self = rt_unwatched;

	return likely(self != NULL) ? rt_single_claim(self) : rt_single_claim_watched(CALLER);
}

ENTRY(bool, GOMP_single_start_with_end, void)
{
	struct rt_thread *self = rt_unwatched;

	return likely(self != NULL) ? rt_single_claim(self) : rt_single_claim_watched(CALLER);
}

RT_COLD void rt_single_end_watched(const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		rt_work_end_single(self, caller);
}

/* All members call it, after the barrier if there is one. */
ENTRY(void, GOMP_single_end, void)
{
	if (unlikely(rt_unwatched == NULL))
		rt_single_end_watched(CALLER);
}

/*
 * NULL: the caller executes the block and calls the end. Otherwise the address of what the
 * executing member copies.
 */
ENTRY(void *, GOMP_single_copy_start, void)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL)) {
		if (rt_single_claim(self))
			return NULL;
		rt_team_barrier(self);
	} else {
		if (rt_single_claim_watched(CALLER))
			return NULL;
		rt_barrier_watched(
		    ompt_sync_region_barrier_implementation, CALLER, __builtin_dwarf_cfa());
		self = rt_self();
	}
	return rt_single_copied(self);
}

ENTRY(void, GOMP_single_copy_end, void *data)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL)) {
		store_relaxed(&self->team->copyprivate, data);
		rt_team_barrier(self);
		return;
	}
	self = rt_self();
	if (rt_note_call(&self))
		rt_work_end(self, CALLER);
	store_relaxed(&self->team->copyprivate, data);
	rt_barrier_watched(ompt_sync_region_barrier_implementation, CALLER, __builtin_dwarf_cfa());
}

/* The slot of a scope only passes on the address of the reductions. */
static void share_reductions(struct rt_thread *self, uintptr_t *reductions)
{
	struct rt_loop_args none = {.kind = RT_LOOP_STATIC};

	if (reductions == NULL)
		return;
	rt_loop_begin(self, &none, RT_SHARE_ALWAYS);
	rt_share_storage(self, reductions, NULL);
	rt_loop_end(self);
}

/* No call ends this scope. */
ENTRY(void, GOMP_scope_start, uintptr_t *reductions)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		rt_work_begin_scope(self, CALLER);
	share_reductions(self, reductions);
}

RT_COLD void rt_scope_begin_watched(const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		rt_work_begin_paired_scope(self, caller);
}

ENTRY(void, GOMP_scope_start_with_end, uintptr_t *reductions)
{
	if (unlikely(rt_unwatched == NULL))
		rt_scope_begin_watched(CALLER);
	share_reductions(rt_self(), reductions);
}

RT_COLD void rt_scope_end_watched(const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		rt_work_end_paired_scope(self, caller);
}

/* Called before the barrier. */
ENTRY(void, GOMP_scope_end, void)
{
	if (unlikely(rt_unwatched == NULL))
		rt_scope_end_watched(CALLER);
}

/* Does the calling member execute the block of a masked construct with this filter? */
ENTRY(bool, GOMP_has_masked_thread_num, int filter)
{
	return (int)rt_self()->number == filter;
}

RT_COLD bool rt_masked_begin_watched(int filter, const void *caller)
{
	struct rt_thread *self = rt_self();

	if ((int)self->number != filter)
		return false;
	if (rt_watched(RT_BY_TOOL))
		rt_work_begin_masked(self, caller);
	return true;
}

ENTRY(bool, GOMP_has_masked_thread_num_with_end, int filter)
{
	const struct rt_thread *self = rt_unwatched;

	return likely(self != NULL) ? (int)self->number == filter
				    : rt_masked_begin_watched(filter, CALLER);
}

RT_COLD void rt_masked_end_watched(const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		rt_work_end_masked(self, caller);
}

/* Called by the member that has executed the block. */
ENTRY(void, GOMP_masked_end, void)
{
	if (unlikely(rt_unwatched == NULL))
		rt_masked_end_watched(CALLER);
}

struct rt_mutex rt_unnamed_critical, rt_atomic_fallback;
static struct rt_mutex reduction_mutex;

ENTRY(void, GOMP_critical_start, void)
{
	rt_mutex_lock_entry(&rt_unnamed_critical, ompt_mutex_critical, RT_WAITING_CRITICAL);
}

ENTRY(void, GOMP_critical_end, void)
{
	rt_mutex_unlock_entry(&rt_unnamed_critical, ompt_mutex_critical);
}

/* gcc gives each name a common symbol of pointer size, which is large enough for the lock. */
ENTRY(void, GOMP_critical_name_start, void **name)
{
	_Static_assert(sizeof(struct rt_mutex) <= sizeof(void *), "the lock fits the symbol");
	rt_mutex_lock_entry((struct rt_mutex *)name, ompt_mutex_critical, RT_WAITING_CRITICAL);
}

ENTRY(void, GOMP_critical_name_end, void **name)
{
	rt_mutex_unlock_entry((struct rt_mutex *)name, ompt_mutex_critical);
}

/* Atomic operations that the processor does not have. */
ENTRY(void, GOMP_atomic_start, void)
{
	rt_mutex_lock_entry(&rt_atomic_fallback, ompt_mutex_atomic, RT_WAITING_ATOMIC);
}

ENTRY(void, GOMP_atomic_end, void)
{
	rt_mutex_unlock_entry(&rt_atomic_fallback, ompt_mutex_atomic);
}

static void emit_reduction(
    struct rt_thread *self, ompt_scope_endpoint_t endpoint, const void *caller)
{
	rt_emit_reduction(ompt_sync_region_reduction, endpoint, &self->team->tool.data,
	    &self->task->tool.data, rt_tool_users_address(caller));
}

RT_COLD void rt_reduction_begin_watched(struct rt_mutex *mutex, const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		emit_reduction(self, ompt_scope_begin, caller);
	rt_mutex_lock_noted(mutex, RT_WAITING_MUTEX);
}

RT_COLD void rt_reduction_end_watched(struct rt_mutex *mutex, const void *caller)
{
	struct rt_thread *self = rt_self();

	rt_mutex_unlock(mutex);
	if (rt_watched(RT_BY_TOOL))
		emit_reduction(self, ompt_scope_end, caller);
}

/*
 * A member combines its copies with the original variables; GCC before 17 did that as an atomic
 * operation. It needs a separate mutex: the program's own code may combine the copies, and that may
 * contain atomic constructs. Members that wait for each other are in the reduction already.
 */
ENTRY(void, GOMP_reduction_start, void)
{
	if (rt_watched(RT_AT_MUTEXES))
		rt_reduction_begin_watched(&reduction_mutex, CALLER);
	else if (unlikely(!rt_mutex_try_unannounced(&reduction_mutex)))
		rt_mutex_lock_noted_slow(&reduction_mutex, RT_WAITING_MUTEX);
}

ENTRY(void, GOMP_reduction_end, void)
{
	if (rt_watched(RT_AT_MUTEXES))
		rt_reduction_end_watched(&reduction_mutex, CALLER);
	else
		rt_mutex_unlock_unannounced(&reduction_mutex);
}

RT_COLD void rt_ordered_begin_watched(const void *caller)
{
	struct rt_thread *self = rt_self();
	uintptr_t id = rt_ordered_wait_id(self);

	caller = rt_tool_users_address(caller);
	rt_emit_mutex_acquire(ompt_mutex_ordered, 0, RT_MUTEX_IMPL_TURN, id, caller);
	rt_ordered_begin(self);
	rt_race_lane_ordered(self, true);
	rt_emit_mutex_acquired(ompt_mutex_ordered, id, caller);
}

RT_COLD void rt_ordered_end_watched(const void *caller)
{
	struct rt_thread *self = rt_self();
	uintptr_t id = rt_ordered_wait_id(self);

	rt_race_lane_ordered(self, false);
	rt_ordered_end(self);
	rt_emit_mutex_released(ompt_mutex_ordered, id, rt_tool_users_address(caller));
}

ENTRY(void, GOMP_ordered_start, void)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL))
		rt_ordered_begin(self);
	else
		rt_ordered_begin_watched(CALLER);
}

ENTRY(void, GOMP_ordered_end, void)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL))
		rt_ordered_end(self);
	else
		rt_ordered_end_watched(CALLER);
}
