/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier, single, scope, critical, atomic, ordered and cancellation, as gcc calls them. */
#include "synchronization.h"

#include "abi.h"
#include "events.h"
#include "loop-entry.h"
#include "loops.h"
#include "mutex.h"
#include "process.h"
#include "program-mutex.h"
#include "teams.h"
#include "wait-note.h"
#include "work-events.h"

/*
 * gcc calls this for barrier constructs, and at the end of the work-sharing constructs that it
 * compiles without the runtime (static loops): for tools all are explicit ones.
 */
ENTRY(void, GOMP_barrier, void)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL)) {
		rt_team_barrier(self);
		return;
	}
	self = rt_self();
	RT_TOOL_CALL(self);
	rt_team_barrier_of(self, ompt_sync_region_barrier_explicit);
}

ENTRY(bool, GOMP_barrier_cancel, void)
{
	struct rt_thread *self = rt_self();

	return rt_cancel_seen(RT_TOOL_WATCHES(self) ? rt_team_barrier_with_tool(
							  self, ompt_sync_region_barrier_explicit)
						    : rt_team_barrier(self),
	    CALLER);
}

/*
 * The member that moves the team's count from the number of constructs encountered before to the
 * next one executes the block; relaxed, since the barrier at the end is what publishes.
 */
static bool claim_single(struct rt_thread *self)
{
	struct rt_member *member = self->member;
	uint32_t turn;

	if (self->team->size == 1)
		return true;
	turn = member->single_turn++;
	/*
	 * A member behind the others need not look again. One that may be first does not look
	 * before it tries: that would fetch the line twice.
	 */
	if (turn != member->single_seen ||
	    !cas_relaxed(&self->team->single_turn, &member->single_seen, turn + 1))
		return false;
	member->single_seen = turn + 1;
	return true;
}

static RT_COLD bool claim_single_watched(const void *caller)
{
	struct rt_thread *self = rt_self();
	bool executes = claim_single(self);

	if (rt_tool_is_active())
		rt_work_begin_single(self, executes, caller);
	return executes;
}

ENTRY(bool, GOMP_single_start, void)
{
	struct rt_thread *self = rt_unwatched;

	return likely(self != NULL) ? claim_single(self) : claim_single_watched(CALLER);
}

/*
 * NULL: execute the block and call end; otherwise the address of what the executing member copies.
 */
ENTRY(void *, GOMP_single_copy_start, void)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL)) {
		if (claim_single(self))
			return NULL;
		rt_team_barrier(self);
	} else {
		if (claim_single_watched(CALLER))
			return NULL;
		self = rt_self();
		RT_TOOL_CALL(self);
		rt_team_barrier_of(self, ompt_sync_region_barrier_implementation);
	}
	return load_relaxed(&self->team->copyprivate); /* ordered by the barrier */
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
	if (RT_TOOL_WATCHES(self))
		rt_work_end(self, CALLER);
	store_relaxed(&self->team->copyprivate, data);
	rt_team_barrier_of(self, ompt_sync_region_barrier_implementation);
}

/* Nothing ends a scope construct, so its slot serves only to pass the reductions' address. */
ENTRY(void, GOMP_scope_start, uintptr_t *reductions)
{
	struct rt_thread *self = rt_self();
	struct rt_loop_args none = {.kind = RT_LOOP_STATIC};

	if (unlikely(rt_tool_is_active()))
		rt_work_begin_scope(self, CALLER);
	if (reductions == NULL)
		return;
	rt_loop_begin(self, &none, RT_SHARE_ALWAYS);
	rt_share_storage(self, reductions, NULL);
	rt_loop_end(self);
}

struct rt_mutex rt_unnamed_critical, rt_atomic_fallback;

ENTRY(void, GOMP_critical_start, void)
{
	rt_mutex_lock_entry(&rt_unnamed_critical, ompt_mutex_critical, RT_WAITING_CRITICAL);
}

ENTRY(void, GOMP_critical_end, void)
{
	rt_mutex_unlock_entry(&rt_unnamed_critical, ompt_mutex_critical);
}

/* gcc gives each name a common symbol of pointer size, which is large enough to be the lock. */
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

static RT_COLD void begin_ordered_watched(const void *caller)
{
	struct rt_thread *self = rt_self();
	uintptr_t id = rt_ordered_wait_id(self);

	caller = rt_tool_users_address(caller);
	rt_emit_mutex_acquire(ompt_mutex_ordered, 0, RT_MUTEX_IMPL_TURN, id, caller);
	rt_ordered_begin(self);
	rt_emit_mutex_acquired(ompt_mutex_ordered, id, caller);
}

static RT_COLD void end_ordered_watched(const void *caller)
{
	struct rt_thread *self = rt_self();
	uintptr_t id = rt_ordered_wait_id(self);

	rt_ordered_end(self);
	rt_emit_mutex_released(ompt_mutex_ordered, id, rt_tool_users_address(caller));
}

ENTRY(void, GOMP_ordered_start, void)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL))
		rt_ordered_begin(self);
	else
		begin_ordered_watched(CALLER);
}

ENTRY(void, GOMP_ordered_end, void)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL))
		rt_ordered_end(self);
	else
		end_ordered_watched(CALLER);
}

/* Construct kinds of GOMP_cancel() and GOMP_cancellation_point(). */
enum { CANCEL_PARALLEL = 1, CANCEL_LOOP = 2, CANCEL_SECTIONS = 4, CANCEL_TASKGROUP = 8 };

static bool is_cancelled(struct rt_thread *self, int kind)
{
	struct rt_workshare *share = self->member->loop.share;

	if (load_acquire(&self->team->cancelled) != 0)
		return true;
	if (kind & (CANCEL_LOOP | CANCEL_SECTIONS))
		return share != NULL && load_acquire(&share->cancelled) != 0;
	return (kind & CANCEL_TASKGROUP) && rt_taskgroup_is_cancelled(self->task->group);
}

/* The construct that is meant, and what happened to it (OpenMP 5.2, 19.4.4.25). */
static RT_COLD void emit_cancel(
    struct rt_thread *self, int kind, ompt_cancel_flag_t event, const void *caller)
{
	int construct = kind & CANCEL_PARALLEL    ? ompt_cancel_parallel
			: kind & CANCEL_SECTIONS  ? ompt_cancel_sections
			: kind & CANCEL_TASKGROUP ? ompt_cancel_taskgroup
						  : ompt_cancel_loop;

	if ((kind & CANCEL_TASKGROUP) && !(self->task->flags & RT_TASK_IMPLICIT))
		self->task->tool.cancelled = true;
	rt_emit_cancel(
	    &self->task->tool.data, construct | (int)event, rt_tool_users_address(caller));
}

void rt_cancel_detected(const void *caller)
{
	if (rt_tool_is_active())
		emit_cancel(rt_self(), CANCEL_PARALLEL, ompt_cancel_detected, caller);
}

static bool point(struct rt_thread *self, int kind, const void *caller)
{
	bool cancelled = is_cancelled(self, kind);

	if (cancelled && unlikely(rt_tool_is_active()))
		emit_cancel(self, kind, ompt_cancel_detected, caller);
	return cancelled;
}

ENTRY(bool, GOMP_cancellation_point, int kind)
{
	return rt_process.cancellation && point(rt_self(), kind, CALLER);
}

/* All that wait at a barrier, for a turn or for a work-share stop waiting. */
static void cancel_team(struct rt_team *team)
{
	store_sequential(&team->cancelled, 1);
	rt_event_notify(&team->event);
	rt_workshare_wake_all(team);
}

static void cancel(struct rt_thread *self, int kind)
{
	struct rt_taskgroup *group;

	if (kind & CANCEL_PARALLEL) {
		cancel_team(self->team);
	} else if (kind & CANCEL_TASKGROUP) {
		group = rt_taskgroup_of_user(self->task->group);
		if (group != NULL)
			store_release(&group->cancelled, 1);
	} else if (self->member->loop.share != NULL) {
		store_release(&self->member->loop.share->cancelled, 1);
	}
}

/* With a false condition the construct is a cancellation point. */
ENTRY(bool, GOMP_cancel, int kind, bool condition)
{
	struct rt_thread *self;

	if (!rt_process.cancellation)
		return false;
	self = rt_self();
	if (!condition)
		return point(self, kind, CALLER);
	if (unlikely(rt_tool_is_active()))
		emit_cancel(self, kind, ompt_cancel_activated, CALLER);
	cancel(self, kind);
	return true;
}
