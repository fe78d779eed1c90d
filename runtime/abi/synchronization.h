/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The locks of constructs that have no symbol in the program; debuggers recognise them by address.
 */
#ifndef RT_SYNCHRONIZATION_H
#define RT_SYNCHRONIZATION_H
#include "events.h"
#include "mutex.h"
#include "teams.h"

extern struct rt_mutex rt_unnamed_critical;
extern struct rt_mutex rt_atomic_fallback; /* atomic operations that the processor does not have */

/*
 * For a thread that is new, or with a tool. caller, frame: RT_RETURN_ADDRESS and canonical frame
 * address of the entry point. The barriers return whether the region is cancelled; the second one
 * is a cancellation point, which a tool may see.
 */
bool rt_barrier_watched(ompt_sync_region_t kind, const void *caller, void *frame);
bool rt_cancel_barrier_watched(ompt_sync_region_t kind, const void *caller, void *frame);

/* Pass a barrier, in an entry point. self: rt_unwatched. `kind` is evaluated only by tools. */
#define RT_PASS_BARRIER(self, kind)                                                                \
	(likely((self) != NULL)                                                                    \
		? rt_team_barrier(self)                                                            \
		: rt_barrier_watched(kind, RT_RETURN_ADDRESS, __builtin_dwarf_cfa()))
#define RT_PASS_CANCEL_BARRIER(self, kind)                                                         \
	(likely((self) != NULL)                                                                    \
		? rt_team_barrier(self)                                                            \
		: rt_cancel_barrier_watched(kind, RT_RETURN_ADDRESS, __builtin_dwarf_cfa()))

void rt_ordered_begin_watched(const void *caller);
void rt_ordered_end_watched(const void *caller);
/* A member begins to combine its copies, and ends, with the given lock. */
void rt_reduction_begin_watched(struct rt_mutex *mutex, const void *caller);
void rt_reduction_end_watched(struct rt_mutex *mutex, const void *caller);
/*
 * scope and masked constructs whose end is called; masked returns whether the member executes the
 * block.
 */
void rt_scope_begin_watched(const void *caller);
void rt_scope_end_watched(const void *caller);
bool rt_masked_begin_watched(int filter, const void *caller);
void rt_masked_end_watched(const void *caller);

#endif
