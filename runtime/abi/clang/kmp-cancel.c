/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancellation as clang's code calls for it. Who gets an answer other than 0 leaves the construct:
 * a loop without the call that ends it, a region by a barrier.
 */
#include "cancel.h"

#include "events.h"
#include "kmp-barrier.h"
#include "kmp-work-left.h"
#include "kmp.h"
#include "process.h"
#include "teams.h"

/* Kinds of constructs from 1; the last is a taskgroup. */
static const int kinds[] = {
    0, RT_CANCEL_PARALLEL, RT_CANCEL_LOOP, RT_CANCEL_SECTIONS, RT_CANCEL_TASKGROUP};

static inline int kind_of(int32_t kind)
{
	return kind > 0 && (size_t)kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[kind] : 0;
}

KMP_ENTRY(int32_t, __kmpc_cancel, int32_t kind)
{
	KMP_UNUSED();
	if (!rt_process.cancellation || kind_of(kind) == 0)
		return 0;
	rt_cancel(rt_self(), kind_of(kind), CALLER);
	return 1;
}

KMP_ENTRY(int32_t, __kmpc_cancellationpoint, int32_t kind)
{
	KMP_UNUSED();
	return rt_process.cancellation && kind_of(kind) != 0 &&
	       rt_cancellation_point(rt_self(), kind_of(kind), CALLER);
}

KMP_ENTRY_PLAIN(int32_t, __kmpc_cancel_barrier)
{
	struct rt_thread *self = rt_unwatched;

	(void)gtid;
	kmp_leave_work(self);
	if (likely(self != NULL))
		return rt_team_barrier(self);
	return rt_cancel_seen(
	    rt_barrier_watched(kmp_barrier_kind(ident), CALLER, __builtin_dwarf_cfa()), CALLER);
}
