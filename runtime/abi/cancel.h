/* SPDX-License-Identifier: BSD-3-Clause */
/* What entry points for cancellation have in common, while rt_watched(RT_BY_CANCELLATION). */
#ifndef RT_CANCEL_H
#define RT_CANCEL_H
#include <stdbool.h>

#include "atomics.h"

struct rt_thread;

/* Kinds of constructs, as gcc passes them. */
enum {
	RT_CANCEL_PARALLEL = 1,
	RT_CANCEL_LOOP = 2,
	RT_CANCEL_SECTIONS = 4,
	RT_CANCEL_TASKGROUP = 8
};

/* Is the innermost construct of this kind cancelled, or the region around it? */
bool rt_is_cancelled(struct rt_thread *self, int kind);

/* The same as a cancellation point. caller: where the program called the entry point. */
bool rt_cancellation_point(struct rt_thread *self, int kind, const void *caller);

/* Cancels the innermost construct of this kind. */
void rt_cancel(struct rt_thread *self, int kind, const void *caller);

/*
 * A barrier has reported that the region is cancelled: notifies a tool that the calling task has
 * detected it. caller: where the program called the entry point.
 */
void rt_cancel_detected(const void *caller);

#endif
