/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier, master, masked, single, critical, ordered, scope, flush and error, as clang's code calls
 * them. A loop that a member left unfinished because it was cancelled ends at the barrier after it.
 */
#include "synchronization.h"

#include "error-directive.h"
#include "events.h"
#include "kmp-barrier.h"
#include "kmp-work-left.h"
#include "kmp.h"
#include "loops.h"
#include "program-mutex.h"
#include "race.h"
#include "single.h"
#include "teams.h"
#include "wait-note.h"
#include "watch.h"
#include "work-events.h"

KMP_ENTRY_PLAIN(void, __kmpc_barrier)
{
	struct rt_thread *self = rt_unwatched;

	(void)gtid;
	kmp_leave_work(self);
	RT_PASS_BARRIER(self, kmp_barrier_kind(ident));
}

/* The master gets 1, and the others wait until it calls the end; with nowait they do not wait. */
KMP_ENTRY_PLAIN(int32_t, __kmpc_barrier_master)
{
	struct rt_thread *self = rt_unwatched;

	KMP_UNUSED();
	RT_PASS_BARRIER(self, ompt_sync_region_barrier_implementation);
	if (rt_self()->number == 0)
		return 1;
	RT_PASS_BARRIER(self, ompt_sync_region_barrier_implementation);
	return 0;
}

KMP_ENTRY_PLAIN(void, __kmpc_end_barrier_master)
{
	KMP_UNUSED();
	RT_PASS_BARRIER(rt_unwatched, ompt_sync_region_barrier_implementation);
}

KMP_ENTRY_PLAIN(int32_t, __kmpc_barrier_master_nowait)
{
	KMP_UNUSED();
	RT_PASS_BARRIER(rt_unwatched, ompt_sync_region_barrier_implementation);
	return rt_self()->number == 0;
}

static RT_COLD void flush_watched(const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		rt_emit_flush(&self->tool.data, rt_tool_users_address(caller));
}

LONE_ENTRY(void, __kmpc_flush, const struct kmp_ident *ident)
{
	(void)ident;
	fence_sequential();
	rt_tsan_fence();
	if (unlikely(rt_unwatched == NULL))
		flush_watched(CALLER);
}

static inline __attribute__((always_inline)) int32_t is_masked(int32_t filter)
{
	const struct rt_thread *self = rt_unwatched;

	return likely(self != NULL) ? (int32_t)self->number == filter
				    : rt_masked_begin_watched(filter, CALLER);
}

KMP_ENTRY_PLAIN(int32_t, __kmpc_master)
{
	KMP_UNUSED();
	return is_masked(0);
}

KMP_ENTRY(int32_t, __kmpc_masked, int32_t filter)
{
	KMP_UNUSED();
	return is_masked(filter);
}

/* Called by the member that has executed the block. */
KMP_ENTRY_PLAIN(void, __kmpc_end_masked)
{
	KMP_UNUSED();
	if (unlikely(rt_unwatched == NULL))
		rt_masked_end_watched(CALLER);
}

LONE_SAME_ENTRY(
    void, __kmpc_end_master, __kmpc_end_masked, const struct kmp_ident *ident, int32_t gtid);

KMP_ENTRY_PLAIN(int32_t, __kmpc_single)
{
	struct rt_thread *self = rt_unwatched;

	KMP_UNUSED();
	return likely(self != NULL) ? rt_single_claim(self) : rt_single_claim_watched(CALLER);
}

/* Called by the member that has executed the block. */
KMP_ENTRY_PLAIN(void, __kmpc_end_single)
{
	KMP_UNUSED();
	if (unlikely(rt_unwatched == NULL))
		rt_single_end_watched(CALLER);
}

/*
 * All members call it. The member that has executed the block, for which `did` is not 0, gives its
 * data to the others, which copy them with a function of the compiler; afterwards the data may
 * change.
 */
KMP_ENTRY(void, __kmpc_copyprivate, size_t size, void *data, void (*copy)(void *to, void *from),
    int32_t did)
{
	struct rt_thread *self = rt_unwatched;
	struct rt_team *team = rt_self()->team;

	KMP_UNUSED();
	(void)size;
	if (team->size == 1)
		return;
	if (did)
		store_relaxed(&team->copyprivate, data);
	RT_PASS_BARRIER(self, ompt_sync_region_barrier_implementation);
	if (!did)
		copy(data, rt_single_copied(rt_self()));
	RT_PASS_BARRIER(self, ompt_sync_region_barrier_implementation);
}

/*
 * The same for one variable. The other members pass NULL and get its address; the compiler puts a
 * barrier between their copying and the next change.
 */
KMP_ENTRY(void *, __kmpc_copyprivate_light, void *data)
{
	struct rt_thread *self = rt_unwatched;

	KMP_UNUSED();
	if (data != NULL)
		store_relaxed(&rt_self()->team->copyprivate, data);
	RT_PASS_BARRIER(self, ompt_sync_region_barrier_implementation);
	return rt_single_copied(rt_self());
}

/* clang gives each name a variable of 32 bytes, which is zero initially. */
KMP_ENTRY(void, __kmpc_critical, struct rt_mutex *name)
{
	KMP_UNUSED();
	rt_mutex_lock_entry(name, ompt_mutex_critical, RT_WAITING_CRITICAL);
}

KMP_ENTRY(void, __kmpc_critical_with_hint, struct rt_mutex *name, uint32_t hint)
{
	KMP_UNUSED();
	if (rt_watched(RT_AT_MUTEXES))
		rt_mutex_lock_watched_with_hint(name, ompt_mutex_critical, hint, CALLER);
	else if (unlikely(!rt_mutex_try_unannounced(name)))
		rt_mutex_lock_noted_slow(name, RT_WAITING_CRITICAL);
}

KMP_ENTRY(void, __kmpc_end_critical, struct rt_mutex *name)
{
	KMP_UNUSED();
	rt_mutex_unlock_entry(name, ompt_mutex_critical);
}

KMP_ENTRY_PLAIN(void, __kmpc_ordered)
{
	struct rt_thread *self = rt_unwatched;

	KMP_UNUSED();
	if (likely(self != NULL))
		rt_ordered_begin(self);
	else
		rt_ordered_begin_watched(CALLER);
}

KMP_ENTRY_PLAIN(void, __kmpc_end_ordered)
{
	struct rt_thread *self = rt_unwatched;

	KMP_UNUSED();
	if (likely(self != NULL))
		rt_ordered_end(self);
	else
		rt_ordered_end_watched(CALLER);
}

KMP_ENTRY(void, __kmpc_scope, void *reserved)
{
	KMP_UNUSED();
	(void)reserved;
	if (unlikely(rt_unwatched == NULL))
		rt_scope_begin_watched(CALLER);
}

KMP_ENTRY(void, __kmpc_end_scope, void *reserved)
{
	KMP_UNUSED();
	(void)reserved;
	if (unlikely(rt_unwatched == NULL))
		rt_scope_end_watched(CALLER);
}

/* severity: 1 warning, 2 fatal */
LONE_ENTRY(void, __kmpc_error, const struct kmp_ident *ident, int32_t severity, const char *message)
{
	char place[KMP_PLACE_SIZE];

	kmp_print_place(ident, place);
	rt_error_directive(severity != 1, place, message, SIZE_MAX, CALLER);
}
