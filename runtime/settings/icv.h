/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Internal control variables with data-environment scope (OpenMP 5.1, 2.4): each task owns a copy,
 * made from the generating task's copy; API routines read and write the copy of the calling task.
 * Variables with device or global scope are members of struct rt_process.
 */
#ifndef RT_ICV_H
#define RT_ICV_H
#include <stdbool.h>
#include <stdint.h>

/* The result of omp_get_supported_active_levels(), and the maximum of max_active_levels. */
enum { RT_MAX_ACTIVE_LEVELS = 255 };

/* thread_limit without a limit; OMP_DISPLAY_ENV shows it as UINT32_MAX, as libgomp does. */
enum { RT_THREAD_LIMIT_NONE = INT32_MAX };

/* The values of omp_sched_t; RT_SCHEDULE_MONOTONIC may be or-ed to each. */
enum rt_schedule {
	RT_SCHEDULE_STATIC = 1,
	RT_SCHEDULE_DYNAMIC = 2,
	RT_SCHEDULE_GUIDED = 3,
	RT_SCHEDULE_AUTO = 4
};
#define RT_SCHEDULE_MONOTONIC 0x80000000u

/* Only the thread that executes the task touches its copy, so nothing here is atomic. */
struct rt_task_icvs {
	uint32_t nthreads;     /* nthreads-var: first element of the list, always > 0 */
	uint32_t thread_limit; /* thread-limit-var, RT_THREAD_LIMIT_NONE or less */
	uint32_t
	    run_sched_kind; /* run-sched-var: enum rt_schedule, maybe | RT_SCHEDULE_MONOTONIC */
	int32_t run_sched_chunk; /* 0: the schedule's default (static: one block a thread) */
	uint32_t
	    partition_first; /* place-partition-var: first place, counted in rt_process.places */
	uint32_t partition_length; /* its number of places; 0: no places, threads are not bound */
	uintptr_t def_allocator;   /* def-allocator-var: an omp_allocator_handle_t */
	_Atomic uint32_t *busy;    /* of a separate group, like struct rt_team.busy; or NULL */
	const uint32_t
	    *inner_threads;     /* with nthreads_by_clause: nthreads-var after its first element */
	int32_t default_device; /* default-device-var */
	uint16_t list_depth;    /* elements of the nthreads and bind lists used up so far */
	uint16_t inner_count;   /* elements of inner_threads */
	uint8_t max_active_levels; /* max-active-levels-var */
	uint8_t bind;              /* bind-var: enum rt_bind, first element of the list */
	bool dyn;                  /* dyn-var */
	bool follows_processors; /* nthreads was not set: with dyn-var it follows the processors */
	bool nthreads_by_clause; /* nthreads-var comes from a clause's list, not OMP_NUM_THREADS */
	bool run_sched_is_default; /* run-sched-var was not set: clang's code has another default */
};

/*
 * Sets the ICVs of the implicit tasks of a parallel region from those of the task that encounters
 * it: the lists of OMP_NUM_THREADS and OMP_PROC_BIND lose their first element. place-partition-var
 * is inherited; a caller that binds the team stores the member's own partition afterwards
 * (rt_place_member()).
 */
void rt_icvs_inherit(struct rt_task_icvs *child, const struct rt_task_icvs *parent);

/*
 * The same if the region's num_threads clause has a list (OpenMP 6.0, 12.1.2): the numbers after
 * its first one are nthreads-var of the implicit tasks.
 */
void rt_icvs_inherit_list(struct rt_task_icvs *child, const struct rt_task_icvs *parent,
    const uint32_t *rest, uint16_t count);

#endif
