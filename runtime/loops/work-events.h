/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work-sharing for tools: OMPT's work and dispatch events (OpenMP 5.2, 19.5.2.5 and 19.5.2.6). All
 * of this is called only while rt_tool_is_active(), by the member that the event is about. caller:
 * the return address of the entry point that the program called.
 *
 * Many constructs have no call at their end: single and scope, and with GCC 17 static loops, but
 * for code of -fopenmp-ompt; and when a parallel region is cancelled all constructs in it. So the
 * member notes which construct it is in, and the end event comes when the construct must be over:
 * the member begins the next barrier or work-sharing construct, or its implicit task ends. For a
 * construct without nowait that is the moment of its end; with nowait it is later.
 */
#ifndef RT_WORK_EVENTS_H
#define RT_WORK_EVENTS_H
#include <stdbool.h>
#include <stdint.h>

#include "omp-tools.h"

struct rt_loop_args;
struct rt_thread;

/*
 * After rt_loop_begin(), which may have changed the member's own copy of the arguments: the loop or
 * sections begin, and from now on each chunk has its dispatch event. is_divided: by gcc's code,
 * which gives a count of iterations that stands for none; then there are no chunks either.
 */
void rt_work_begin_loop(
    struct rt_thread *self, const struct rt_loop_args *args, bool is_divided, const void *caller);

/* The loop or sections with which the team's region begins; after the begin of the implicit task.
 */
void rt_work_begin_team(struct rt_thread *self);

/*
 * A loop that gcc's code divides itself. The functions that announce it are const for gcc 17, which
 * drops the call of a second loop with as many iterations; and a loop over unsigned numbers that is
 * empty has no begin. So a chunk or an end without a begin begins it, with a count of 0.
 *   type  ompt_work_loop_static or ompt_work_distribute
 */
void rt_work_begin_static(
    struct rt_thread *self, ompt_work_t type, uint64_t count, const void *caller);
void rt_work_dispatch_static(
    struct rt_thread *self, ompt_work_t type, ompt_dispatch_chunk_t chunk, const void *caller);
void rt_work_end_static(struct rt_thread *self, ompt_work_t type, const void *caller);

/*
 * The member has come to a single construct, whose block it executes or not; has left one, which is
 * no news behind its barrier.
 */
void rt_work_begin_single(struct rt_thread *self, bool executes, const void *caller);
void rt_work_end_single(struct rt_thread *self, const void *caller);

/*
 * A scope, that ends as all do; and one whose end is called, unless its region is cancelled: other
 * constructs may be in it. So it is with the block of masked, by the member that executes it.
 */
void rt_work_begin_scope(struct rt_thread *self, const void *caller);
void rt_work_begin_paired_scope(struct rt_thread *self, const void *caller);
void rt_work_end_paired_scope(struct rt_thread *self, const void *caller);
void rt_work_begin_masked(struct rt_thread *self, const void *caller);
void rt_work_end_masked(struct rt_thread *self, const void *caller);

/* The chunk in loop.low and loop.high begins; the section that the program is given next. */
void rt_work_dispatch_chunk(struct rt_thread *self);
void rt_work_dispatch_section(struct rt_thread *self, const void *caller);

/*
 * The construct that the member is in ends, if it is in one; rt_work_close(): as late as it may;
 * rt_work_close_all(): its implicit task ends.
 */
void rt_work_end(struct rt_thread *self, const void *caller);
void rt_work_close(struct rt_thread *self);
void rt_work_close_all(struct rt_thread *self);

#endif
