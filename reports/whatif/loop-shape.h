/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a loop's work is spread over its iterations, as its marks show (shared/loop-marks.h), and
 * what each thread of a team gets of it under a schedule.
 *
 * Within a stretch the work is taken for evenly spread. The part of it that was not divided further
 * may as well be that of a single iteration: DIVIDED_NOWHERE.
 */
#ifndef LOOP_SHAPE_H
#define LOOP_SHAPE_H

#include "change.h"

struct loop_shape;

/* One execution of a loop: what each member of the team did, [begins[i], ends[i]) of its strand. */
struct loop_execution {
	const struct recording *recording;
	const struct recorded_team *team;
	const size_t *begins, *ends;
	const uint64_t *work; /* ticks, by member */
};

/* The shapes of loops as of the latest executions that have marks. */
struct loop_shapes {
	struct loop_shape **of; /* by construct; NULL: none is known */
	size_t count;
};

struct loop_shapes loop_shapes_new(size_t constructs);
void loop_shapes_free(struct loop_shapes *shapes);

/*
 * The shape for an execution of the construct: its own, or that of the latest execution that has
 * marks. NULL: there is none for a team of this size.
 */
struct loop_shape *loop_shapes_take(
    struct loop_shapes *shapes, uint32_t construct, const struct loop_execution *execution);

/* The work of an execution over its iterations, in the ticks of its members' work. */
struct loop_layout {
	double *at, *before; /* iterations in ascending order, and the work before each of them */
	size_t count;
	uint64_t iterations;
};

struct loop_layout loop_layout_new(
    const struct loop_shape *shape, const uint64_t *work, enum division division);
void loop_layout_free(struct loop_layout *layout);

/* The work of the iterations [begin, end). */
double loop_layout_work(const struct loop_layout *layout, double begin, double end);

/*
 * What each of `size` members does under the change's schedule, or if the work is divided as well
 * as whole iterations allow (CHANGE_BALANCE). claim: ticks that taking a chunk costs, if members
 * take chunks.
 */
void loop_layout_deal(const struct loop_layout *layout, const struct change *change, uint32_t size,
    double claim, double *loads);

/*
 * The same for an execution: sets the loads of its members. Returns whether the longest of them
 * would be noticeably longer if work that was not divided is not divisible.
 */
bool loop_shape_deal(const struct loop_shape *shape, const uint64_t *work,
    const struct change *change, enum division division, double nanosecond, double *loads);

/*
 * Whether each member had one block of iterations. If so, *begin and *end are those of a member's
 * block.
 */
bool loop_shape_block(
    const struct loop_shape *shape, uint32_t member, uint64_t *begin, uint64_t *end);

#endif
