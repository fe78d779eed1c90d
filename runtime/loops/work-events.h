/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work-sharing for tools: OMPT's work and dispatch events (OpenMP 5.2, 19.5.2.5 and 19.5.2.6), by
 * the member that the event concerns.
 * caller: the return address of the entry point that the program called.
 *
 * Many constructs have no call at their end: single and scope, and with GCC 17 static loops, unless
 * compiled with -fopenmp-ompt; and when a parallel region is cancelled, all constructs in it. So
 * the member notes which construct it is in, and the end event comes when the construct must be
 * over: the member begins the next barrier or work-sharing construct, or its implicit task ends.
 * For a construct without nowait that is the moment of its end; with nowait it is later.
 */
#ifndef RT_WORK_EVENTS_H
#define RT_WORK_EVENTS_H
#include <stdbool.h>
#include <stdint.h>

#include "omp-tools.h"

struct rt_loop_args;
struct rt_thread;

/*
 * Called after rt_loop_begin(), which may have changed the member's own copy of the arguments: the
 * loop or sections begin, and from now on each chunk has its dispatch event. is_divided: gcc's code
 * divides the loop and gives a meaningless count of iterations; then there are no chunks either.
 */
void rt_work_begin_loop(
    struct rt_thread *self, const struct rt_loop_args *args, bool is_divided, const void *caller);

/* The loop or sections with which the team's region begins; after the begin of the implicit task.
 */
void rt_work_begin_team(struct rt_thread *self);

/*
 * A loop that gcc's code divides itself. The functions that announce it are const for gcc 17, which
 * drops the call for a second loop with the same number of iterations; and an empty loop over
 * unsigned numbers has no begin. So a chunk or an end without a begin emits the begin, with a count
 * of 0.
 *   type  ompt_work_loop_static or ompt_work_distribute
 */
void rt_work_begin_static(
    struct rt_thread *self, ompt_work_t type, uint64_t count, const void *caller);
void rt_work_dispatch_static(
    struct rt_thread *self, ompt_work_t type, ompt_dispatch_chunk_t chunk, const void *caller);
void rt_work_end_static(struct rt_thread *self, ompt_work_t type, const void *caller);

/*
 * begin: the member has come to a single construct, whose block it executes or not. end: it has
 * left one, which changes nothing after its barrier.
 */
void rt_work_begin_single(struct rt_thread *self, bool executes, const void *caller);
void rt_work_end_single(struct rt_thread *self, const void *caller);

/*
 * A scope that ends like other constructs, and one whose end is called unless its region is
 * cancelled, since it may contain other constructs. The block of masked works like the latter, for
 * the member that executes it.
 */
void rt_work_begin_scope(struct rt_thread *self, const void *caller);
void rt_work_begin_paired_scope(struct rt_thread *self, const void *caller);
void rt_work_end_paired_scope(struct rt_thread *self, const void *caller);
void rt_work_begin_masked(struct rt_thread *self, const void *caller);
void rt_work_end_masked(struct rt_thread *self, const void *caller);

/* The chunk in loop.low and loop.high begins, or the section that the program gets next. */
void rt_work_dispatch_chunk(struct rt_thread *self);
void rt_work_dispatch_section(struct rt_thread *self, const void *caller);

/*
 * The construct that the member is in, if any, ends. rt_work_close(): at the latest possible
 * moment; rt_work_close_all(): because the implicit task ends.
 */
void rt_work_end(struct rt_thread *self, const void *caller);
void rt_work_close(struct rt_thread *self);
void rt_work_close_all(struct rt_thread *self);

#endif
