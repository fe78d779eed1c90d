/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel regions: begin by forking a team, end by joining it. */
#ifndef RT_PARALLEL_REGION_H
#define RT_PARALLEL_REGION_H
#include "team.h"

struct rt_region_request {
	rt_region_fn *fn; /* NULL: the program calls the region's code itself */
	void *data;
	rt_region_fn *code;      /* the program's code that fn calls, NULL: fn is it */
	uint32_t num_threads;    /* num_threads clause, 0: none */
	uint32_t *inner_threads; /* the other numbers of the clause's list, which the team frees; or
				    NULL */
	uint16_t inner_count;
	uint32_t flags;                  /* low three bits: proc_bind clause, enum rt_bind */
	const struct rt_loop_args *loop; /* the loop or sections it is combined with, or NULL */
	uintptr_t *reductions;           /* task reductions of the implicit tasks, NULL: none */
};

/* Makes the caller number 0 of a new team, whose other members already execute fn. */
void rt_parallel_begin(struct rt_thread *self, const struct rt_region_request *request);

/* Waits for the team and returns the caller to its previous team. */
void rt_parallel_end(struct rt_thread *self);

/* Begins the region, calls fn, ends it. Returns the number of threads. */
uint32_t rt_parallel(struct rt_thread *self, const struct rt_region_request *request);

/*
 * The same by RT_BY_RACE: the region may be the lanes of a simd loop (shared/loop-schedule.h),
 * which may have calls of omp_get_thread_num() in them.
 */
uint32_t rt_parallel_for_race(struct rt_thread *self, const struct rt_region_request *request);

/* The same by RT_BY_TOOL, after rt_note_call(). */
uint32_t rt_parallel_with_tool(struct rt_thread *self, const struct rt_region_request *request);

#endif
