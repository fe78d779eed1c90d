/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Target constructs for tools (OpenMP 5.2, 13.5 to 13.8 and 19.5.2.25 to 19.5.2.28), on a host that
 * is the only device: a construct begins and ends, and a target region is submitted to the host.
 * Nothing is mapped and no data moves, so these have no events. All of this is called only while
 * rt_watched(RT_BY_TOOL), by the thread that executes the construct.
 */
#ifndef RT_TARGET_EVENTS_H
#define RT_TARGET_EVENTS_H
#include "thread.h"

/*
 * The construct begins and ends; in between it is the thread's innermost one. target_task: the
 * target task, which is the current one; NULL: there is none.
 */
void rt_target_begin(struct rt_thread *self, struct rt_target_note *note, ompt_target_t kind,
    struct rt_task *target_task, const void *caller);
void rt_target_end(struct rt_thread *self, struct rt_target_note *note);

/* The region is about to be executed. teams: the number that the construct requests, 0: unknown. */
void rt_target_submit(struct rt_target_note *note, unsigned teams);

#endif
