/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier, single, scope, masked, critical, atomic, reductions, ordered and cancellation, as gcc
 * calls them. The forms of GCC 17 are those that Debian's gcc-snapshot of 2026-10-20 emits: its
 * libgomp's names, its code's arguments and order. Those that begin what another call ends
 * (_with_end) come only with -fopenmp-ompt.
 */
#include "synchronization.h"

#include "abi.h"
#include "events.h"
#include "loop-entry.h"
#include "loops.h"
#include "mutex.h"
#include "process.h"
#include "program-mutex.h"
#include "race.h"
#include "teams.h"
#include "versions.h"
#include "wait-note.h"
#include "work-events.h"

/*
 * gcc up to 16 calls this for barrier constructs, and at the end of the work-sharing constructs
 * that it compiles without the runtime (static loops): for tools all are explicit ones.
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
 * What GCC 17 means by a barrier's kind. `parallel` are those with which a region begins, for
 * copyin and for reductions whose initial value depends on the original: the one at its end, which
 * tools understand by implicit_parallel, gcc does not call.
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

static RT_COLD bool barrier_watched(int kind, const void *caller, void *frame)
{
	struct rt_thread *self = rt_self();

	if (!rt_tool_is_active())
		return rt_team_barrier(self);
	return rt_team_barrier_with_tool(
	    rt_tool_note_call(self, caller, frame), barrier_kind(kind));
}

ENTRY(void, GOMP_barrier_ext, int kind)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL))
		rt_team_barrier(self);
	else
		barrier_watched(kind, CALLER, __builtin_dwarf_cfa());
}

ENTRY(bool, GOMP_barrier_cancel_ext, int kind)
{
	struct rt_thread *self = rt_unwatched;

	if (likely(self != NULL))
		return rt_team_barrier(self);
	return rt_cancel_seen(barrier_watched(kind, CALLER, __builtin_dwarf_cfa()), CALLER);
}

/*
 * The member that moves the team's count from the number of constructs encountered before to the
 * next one executes the block; relaxed, since the barrier at the end is what publishes.
 */
static bool claim_single(struct rt_thread *self)
{
	struct rt_member *member = self->member;
	const struct rt_groups *groups;
	uint32_t turn;

	if (self->team->size == 1)
		return true;
	turn = member->single_turn++;
	groups = load_relaxed(&self->team->groups);
	if (unlikely(groups != NULL))
		return rt_group_claim(rt_group_leaf(groups, self->number, RT_GROUP_BARRIER),
		    &self->team->single_turn, self->team->single_base, turn);
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
	bool executes;

	rt_race_pause(self);
	executes = claim_single(self);

	if (rt_tool_is_active())
		rt_work_begin_single(self, executes, caller);
	return executes;
}

ENTRY(bool, GOMP_single_start, void)
{
	struct rt_thread *self = rt_unwatched;

	return likely(self != NULL) ? claim_single(self) : claim_single_watched(CALLER);
}

ENTRY(bool, GOMP_single_start_with_end, void)
{
	struct rt_thread *self = rt_unwatched;

	return likely(self != NULL) ? claim_single(self) : claim_single_watched(CALLER);
}

static RT_COLD void end_single_watched(const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_tool_is_active())
		rt_work_end_single(self, caller);
}

/* All members call it, behind the barrier if there is one. */
ENTRY(void, GOMP_single_end, void)
{
	if (unlikely(rt_unwatched == NULL))
		end_single_watched(CALLER);
}

/* What the executing member said that it copies, behind a barrier that orders it. */
static void *copied(const struct rt_thread *self)
{
	const struct rt_groups *groups = load_relaxed(&self->team->groups);

	return unlikely(groups != NULL)
		   ? load_relaxed(&groups->members[self->number].group->carried)
		   : load_relaxed(&self->team->copyprivate);
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
	return copied(self);
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

/* A scope's slot serves only to pass the reductions' address. */
static void share_reductions(struct rt_thread *self, uintptr_t *reductions)
{
	struct rt_loop_args none = {.kind = RT_LOOP_STATIC};

	if (reductions == NULL)
		return;
	rt_loop_begin(self, &none, RT_SHARE_ALWAYS);
	rt_share_storage(self, reductions, NULL);
	rt_loop_end(self);
}

/* Nothing ends it. */
ENTRY(void, GOMP_scope_start, uintptr_t *reductions)
{
	struct rt_thread *self = rt_self();

	if (unlikely(rt_tool_is_active()))
		rt_work_begin_scope(self, CALLER);
	share_reductions(self, reductions);
}

ENTRY(void, GOMP_scope_start_with_end, uintptr_t *reductions)
{
	struct rt_thread *self = rt_self();

	if (unlikely(rt_tool_is_active()))
		rt_work_begin_paired_scope(self, CALLER);
	share_reductions(self, reductions);
}

static RT_COLD void end_scope_watched(const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_tool_is_active())
		rt_work_end_paired_scope(self, caller);
}

/* Before the barrier. */
ENTRY(void, GOMP_scope_end, void)
{
	if (unlikely(rt_unwatched == NULL))
		end_scope_watched(CALLER);
}

/* Does the calling member execute the block of a masked construct with this filter? */
ENTRY(bool, GOMP_has_masked_thread_num, int filter)
{
	return (int)rt_self()->number == filter;
}

static RT_COLD bool begin_masked_watched(int filter, const void *caller)
{
	struct rt_thread *self = rt_self();

	if ((int)self->number != filter)
		return false;
	if (rt_tool_is_active())
		rt_work_begin_masked(self, caller);
	return true;
}

ENTRY(bool, GOMP_has_masked_thread_num_with_end, int filter)
{
	const struct rt_thread *self = rt_unwatched;

	return likely(self != NULL) ? (int)self->number == filter
				    : begin_masked_watched(filter, CALLER);
}

static RT_COLD void end_masked_watched(const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_tool_is_active())
		rt_work_end_masked(self, caller);
}

/* By the member that has executed the block. */
ENTRY(void, GOMP_masked_end, void)
{
	if (unlikely(rt_unwatched == NULL))
		end_masked_watched(CALLER);
}

struct rt_mutex rt_unnamed_critical, rt_atomic_fallback, rt_reduction_mutex;

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

static void emit_reduction(
    struct rt_thread *self, ompt_scope_endpoint_t endpoint, const void *caller)
{
	rt_emit_reduction(ompt_sync_region_reduction, endpoint, &self->team->tool.data,
	    &self->task->tool.data, rt_tool_users_address(caller));
}

static RT_COLD void begin_reduction_watched(const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_tool_is_active())
		emit_reduction(self, ompt_scope_begin, caller);
	rt_mutex_lock_noted(&rt_reduction_mutex, RT_WAITING_MUTEX);
}

static RT_COLD void end_reduction_watched(const void *caller)
{
	struct rt_thread *self = rt_self();

	rt_mutex_unlock(&rt_reduction_mutex);
	if (rt_tool_is_active())
		emit_reduction(self, ompt_scope_end, caller);
}

/*
 * A member combines its copies with the original ones, which GCC before 17 did as an atomic
 * operation. A mutex of its own: what combines them may be the program's own code, and that may
 * contain atomic constructs. Members that wait for each other are in the reduction already.
 */
ENTRY(void, GOMP_reduction_start, void)
{
	if (unlikely(rt_mutexes_are_watched()))
		begin_reduction_watched(CALLER);
	else if (unlikely(!rt_mutex_try_unannounced(&rt_reduction_mutex)))
		rt_mutex_lock_noted_slow(&rt_reduction_mutex, RT_WAITING_MUTEX);
}

ENTRY(void, GOMP_reduction_end, void)
{
	if (unlikely(rt_mutexes_are_watched()))
		end_reduction_watched(CALLER);
	else
		rt_mutex_unlock_unannounced(&rt_reduction_mutex);
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
	rt_team_notify(team);
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
	rt_race_share(self); /* others begin what is to be cancelled */
	cancel(self, kind);
	return true;
}

ALSO_IN_LIBOMP(GOMP_atomic_end, GOMP_atomic_start, GOMP_barrier, GOMP_barrier_cancel,
    GOMP_barrier_cancel_ext, GOMP_barrier_ext, GOMP_cancel, GOMP_cancellation_point,
    GOMP_critical_end, GOMP_critical_name_end, GOMP_critical_name_start, GOMP_critical_start,
    GOMP_has_masked_thread_num, GOMP_has_masked_thread_num_with_end, GOMP_masked_end,
    GOMP_ordered_end, GOMP_ordered_start, GOMP_reduction_end, GOMP_reduction_start, GOMP_scope_end,
    GOMP_scope_start, GOMP_scope_start_with_end, GOMP_single_copy_end, GOMP_single_copy_start,
    GOMP_single_end, GOMP_single_start, GOMP_single_start_with_end);
