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

/* Iterations of a loop: [begin, end). */
struct loop_block {
	uint64_t begin, end;
};

double loop_layout_work(const struct loop_layout *layout, struct loop_block block);

/* The block of a member of a team of that size, and the most work that one of its blocks has. */
struct loop_block loop_layout_block(
    const struct loop_layout *layout, uint32_t size, uint32_t member);
double loop_layout_longest(const struct loop_layout *layout, uint32_t size);

/*
 * The same for an execution with that work of its members. nanosecond: ticks. Returns whether the
 * longest load would be noticeably longer if work that was not divided is not divisible, and
 * whether the chunks' costs matter (enum unknown).
 */
unsigned loop_shape_deal(const struct loop_shape *shape, const uint64_t *work,
    const struct change *change, uint32_t size, enum division division, double nanosecond,
    double *loads);

/* The schedule with which the execution that has the shape was recorded. */
struct loop_schedule loop_shape_schedule(const struct loop_shape *shape);

/* Whether members take chunks as they are ready: dynamic or guided. */
bool loop_shape_is_taken(const struct loop_shape *shape);

/* If each member had one block of iterations (static without a chunk), sets *block to a member's.
 */
bool loop_shape_block(const struct loop_shape *shape, uint32_t member, struct loop_block *block);

#endif
