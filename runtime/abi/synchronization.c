/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier, single, scope, critical, atomic, ordered and cancellation, as gcc calls them. */
#include "synchronization.h"

#include "abi.h"
#include "loop-entry.h"
#include "loops.h"
#include "mutex.h"
#include "process.h"
#include "program-mutex.h"
#include "teams.h"
#include "wait-note.h"

ENTRY(void, GOMP_barrier, void)
{
	rt_team_barrier(rt_self());
}

ENTRY(bool, GOMP_barrier_cancel, void)
{
	return rt_team_barrier(rt_self());
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

ENTRY(bool, GOMP_single_start, void)
{
	return claim_single(rt_self());
}

/*
 * NULL: execute the block and call end; otherwise the address of what the executing member copies.
 */
ENTRY(void *, GOMP_single_copy_start, void)
{
	struct rt_thread *self = rt_self();

	if (claim_single(self))
		return NULL;
	rt_team_barrier(self);
	return load_relaxed(&self->team->copyprivate); /* ordered by the barrier */
}

ENTRY(void, GOMP_single_copy_end, void *data)
{
	struct rt_thread *self = rt_self();

	store_relaxed(&self->team->copyprivate, data);
	rt_team_barrier(self);
}

/* Nothing ends a scope construct, so its slot serves only to pass the reductions' address. */
ENTRY(void, GOMP_scope_start, uintptr_t *reductions)
{
	struct rt_thread *self = rt_self();
	struct rt_loop_args none = {.kind = RT_LOOP_STATIC};

	if (reductions == NULL)
		return;
	rt_loop_begin(self, &none, RT_SHARE_ALWAYS);
	rt_share_storage(self, reductions, NULL);
	rt_loop_end(self);
}

struct rt_mutex rt_unnamed_critical, rt_atomic_fallback;

ENTRY(void, GOMP_critical_start, void)
{
	rt_mutex_lock_noted(&rt_unnamed_critical, RT_WAITING_CRITICAL);
}

ENTRY(void, GOMP_critical_end, void)
{
	rt_mutex_unlock(&rt_unnamed_critical);
}

/* gcc gives each name a common symbol of pointer size, which is large enough to be the lock. */
ENTRY(void, GOMP_critical_name_start, void **name)
{
	_Static_assert(sizeof(struct rt_mutex) <= sizeof(void *), "the lock fits the symbol");
	rt_mutex_lock_noted((struct rt_mutex *)name, RT_WAITING_CRITICAL);
}

ENTRY(void, GOMP_critical_name_end, void **name)
{
	rt_mutex_unlock((struct rt_mutex *)name);
}

/* Atomic operations that the processor does not have. */
ENTRY(void, GOMP_atomic_start, void)
{
	rt_mutex_lock_noted(&rt_atomic_fallback, RT_WAITING_ATOMIC);
}

ENTRY(void, GOMP_atomic_end, void)
{
	rt_mutex_unlock(&rt_atomic_fallback);
}

ENTRY(void, GOMP_ordered_start, void)
{
	rt_ordered_begin(rt_self());
}

ENTRY(void, GOMP_ordered_end, void)
{
	rt_ordered_end(rt_self());
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

ENTRY(bool, GOMP_cancellation_point, int kind)
{
	return rt_process.cancellation && is_cancelled(rt_self(), kind);
}

/* All that wait at a barrier, for a turn or for a work-share stop waiting. */
static void cancel_team(struct rt_team *team)
{
	store_sequential(&team->cancelled, 1);
	rt_event_notify(&team->event);
	rt_workshare_wake_all(team);
}

ENTRY(bool, GOMP_cancel, int kind, bool condition)
{
	struct rt_thread *self;

	if (!rt_process.cancellation)
		return false;
	self = rt_self();
	if (!condition)
		return is_cancelled(self, kind);
	if (kind & CANCEL_PARALLEL)
		cancel_team(self->team);
	else if (kind & CANCEL_TASKGROUP) {
		struct rt_taskgroup *group = rt_taskgroup_of_user(self->task->group);
		if (group != NULL)
			store_release(&group->cancelled, 1);
	} else if (self->member->loop.share != NULL)
		store_release(&self->member->loop.share->cancelled, 1);
	return true;
}
