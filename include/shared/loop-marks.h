/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks: how the work of a loop is spread over its iterations. The bundled runtime hands a loop out
 * in pieces to whoever asks for that, and says of each when it is done. A mark is a stretch of
 * iterations with the time that they took.
 */
#ifndef SHARED_LOOP_MARKS_H
#define SHARED_LOOP_MARKS_H

#include "loop-schedule.h"

#include <stdint.h>

/* What the runtime calls while a thread executes a loop; all by that thread. */
struct loop_marks {
	/*
	 * Called before the thread's first piece with low == high, and after each piece with its
	 * iterations, [low, high), counted from 0 over the whole loop. Returns how many iterations
	 * the next piece may have, at least 1; a schedule's chunk that has more is divided.
	 */
	uint64_t (*note)(struct loop_marks *marks, uint64_t low, uint64_t high);
	uint64_t count; /* set before the first call: iterations of the loop ... */
	uint32_t size;  /* ... and how many threads the team has */
};

/* The most marks that are kept of one execution by one thread. */
#define LOOP_MARKS_MOST 64

/*
 * The metrics of an archive in which marks are: one class, one value each, before the leave of the
 * loop. VALUE(id, name, unit, meaning)
 */
#define LOOP_MARKS(VALUE)                                                                          \
	VALUE(BEGIN, "loop_mark_begin", "#", "first iteration of a stretch, counted from 0")       \
	VALUE(END, "loop_mark_end", "#", "iteration after the last one of the stretch")            \
	VALUE(TIME, "loop_mark_time", "ns", "what the thread's iterations in it took")             \
	VALUE(GRAIN, "loop_mark_grain", "ns", "the part of that which was not divided further")    \
	VALUE(SCHEDULE, "loop_mark_schedule", "#",                                                 \
	    "the loop's schedule (1 static, 2 dynamic, 3 guided) plus 4 times its chunk")

enum loop_mark {
#define LOOP_MARK_ID(id, name, unit, meaning) LOOP_MARK_##id,
	LOOP_MARKS(LOOP_MARK_ID)
#undef LOOP_MARK_ID
	    LOOP_MARK_VALUES
};

/* Larger chunks count as this one. */
#define LOOP_MARK_CHUNK_MOST ((1 << 22) - 1)

static inline uint32_t loop_mark_schedule(struct loop_schedule schedule)
{
	int chunk = schedule.chunk < LOOP_MARK_CHUNK_MOST ? schedule.chunk : LOOP_MARK_CHUNK_MOST;

	return (uint32_t)schedule.kind | (uint32_t)chunk << 2;
}

/* The schedule of a mark's value. */
static inline struct loop_schedule loop_mark_read_schedule(uint64_t value)
{
	return (struct loop_schedule){
	    (enum loop_schedule_kind)(value & 3), (int)(value >> 2 & LOOP_MARK_CHUNK_MOST)};
}

#endif
