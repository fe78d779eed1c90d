/* SPDX-License-Identifier: BSD-3-Clause */
/* What the entry points of int and unsigned loops share. */
#ifndef RT_LOOP_ENTRY_H
#define RT_LOOP_ENTRY_H
#include "team.h"

/* gcc's numbers of schedules in GOMP_loop_start(); the monotonic bit may be or-ed. */
enum gomp_schedule { GFS_RUNTIME, GFS_STATIC, GFS_DYNAMIC, GFS_GUIDED, GFS_AUTO };

/* What gcc means by the names without `nonmonotonic`, also in code older than that modifier. */
#define MONOTONIC(schedule) ((long)(schedule) | (long)RT_SCHEDULE_MONOTONIC)

/* Completes the arguments with a schedule; GFS_RUNTIME takes run-sched-var. */
struct rt_loop_args rt_loop_args_for(struct rt_loop_args args, long schedule, uint64_t chunk);

/*
 * Sets up what members share: posts of a doacross loop, task reductions and scratch memory (each
 * may be NULL).
 */
void rt_share_storage(struct rt_thread *self, uintptr_t *reductions, void **memory);

#endif
