/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancellation as clang's code calls for it. A thread that gets a result other than 0 leaves the
 * construct: a loop without the call that ends it, a region by a barrier.
 */
#include "kmp-cancel.h"

#include "events.h"
#include "kmp-barrier.h"
#include "kmp-work-left.h"
#include "kmp.h"
#include "teams.h"
#include "watch.h"

KMP_ENTRY(int32_t, __kmpc_cancel, int32_t kind)
{
	KMP_UNUSED();
	if (!rt_watched(RT_BY_CANCELLATION) || kmp_cancel_kind(kind) == 0)
		return 0;
	rt_cancel(rt_self(), kmp_cancel_kind(kind), CALLER);
	return 1;
}

KMP_ENTRY(int32_t, __kmpc_cancellationpoint, int32_t kind)
{
	KMP_UNUSED();
	return rt_watched(RT_BY_CANCELLATION) && kmp_cancel_kind(kind) != 0 &&
	       rt_cancellation_point(rt_self(), kmp_cancel_kind(kind), CALLER);
}

KMP_ENTRY_PLAIN(int32_t, __kmpc_cancel_barrier)
{
	struct rt_thread *self = rt_unwatched;

	(void)gtid;
	kmp_leave_work(self);
	return RT_PASS_CANCEL_BARRIER(self, kmp_barrier_kind(ident));
}
