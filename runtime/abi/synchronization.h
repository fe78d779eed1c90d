/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The locks of constructs that have no symbol of the program's; debuggers recognise them by
 * address.
 */
#ifndef RT_SYNCHRONIZATION_H
#define RT_SYNCHRONIZATION_H
#include "mutex.h"

extern struct rt_mutex rt_unnamed_critical;
extern struct rt_mutex rt_atomic_fallback; /* atomic operations that the processor does not have */

/*
 * Where a barrier has said that the region is cancelled: the calling task has detected it, which a
 * tool is notified. caller: where the program called the entry point.
 */
void rt_cancel_detected(const void *caller);

/* What a barrier said, for an entry point that passes it on. */
static inline __attribute__((always_inline)) bool rt_cancel_seen(bool cancelled, const void *caller)
{
	if (unlikely(cancelled))
		rt_cancel_detected(caller);
	return cancelled;
}

#endif
