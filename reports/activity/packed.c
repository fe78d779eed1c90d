/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Implements packed.h. A segment is stored as its length; its activity and, from the fifth bit on,
 * its construct from 1; and its cause, as the step from the last cause of a previous segment, from
 * 2 (CAUSES_FROM). A cause is stored as the step of its time, its thread and construct, from 1, and
 * the number of arrived threads. 0 stands for none.
 */
#include "packed.h"

enum { ACTIVITY_BITS = 4 };
/* How the cause of a segment is stored. */
enum { CAUSE_NONE, CAUSE_REMOTE, CAUSES_FROM };
_Static_assert(ACTIVITIES <= 1 << ACTIVITY_BITS, "an activity has four bits");

/* Adds one: PATH_NONE becomes 0. */
static uint32_t from_one(uint32_t number)
{
	return number + 1;
}

size_t packed_put_segments(
    unsigned char *bytes, uint64_t before, const struct path_segment *segments, size_t count)
{
	unsigned char *at = bytes;
	uint32_t cause = 0;

	for (size_t i = 0; i < count; i++) {
		const struct path_segment *segment = &segments[i];

		at = number_put(at, segment->to - before);
		at = number_put(at, (uint64_t)from_one(segment->construct) << ACTIVITY_BITS |
					(uint64_t)segment->activity);
		before = segment->to;
		if (segment->cause == PATH_NONE || segment->cause == PATH_REMOTE) {
			at =
			    number_put(at, segment->cause == PATH_NONE ? CAUSE_NONE : CAUSE_REMOTE);
			continue;
		}
		at = number_put(at, number_of_step(cause, segment->cause) + CAUSES_FROM);
		cause = segment->cause;
	}
	return (size_t)(at - bytes);
}

void packed_get_segments(struct spill *spill, const struct path_packed *packed, uint64_t before,
    struct path_segment *segments)
{
	unsigned char bytes[PATH_SEGMENTS * (2 * PACKED_WIDE + PACKED_DOING)];
	const unsigned char *at = bytes;
	uint32_t cause = 0;

	spill_get(spill, (struct spill_piece){packed->at, packed->size}, 0, bytes, packed->size);
	for (size_t i = 0; i < packed->count; i++) {
		uint64_t doing, step;

		before += number_get(&at);
		doing = number_get(&at);
		step = number_get(&at);
		if (step >= CAUSES_FROM)
			cause = (uint32_t)number_step(cause, step - CAUSES_FROM);
		segments[i] = (struct path_segment){
		    .to = before,
		    .construct = (uint32_t)(doing >> ACTIVITY_BITS) - 1,
		    .cause = step == CAUSE_NONE     ? PATH_NONE
			     : step == CAUSE_REMOTE ? PATH_REMOTE
						    : cause,
		    .activity = (enum activity)(doing & ((1 << ACTIVITY_BITS) - 1)),
		};
	}
}

size_t packed_put_causes(unsigned char *bytes, const struct path_cause *causes)
{
	unsigned char *at = bytes;
	uint64_t before = 0;

	for (size_t i = 0; i < PATH_CAUSES; i++) {
		at = number_put(at, number_of_step(before, causes[i].at));
		at = number_put(at, from_one(causes[i].thread));
		at = number_put(at, from_one(causes[i].construct));
		at = number_put(at, causes[i].arrived);
		before = causes[i].at;
	}
	return (size_t)(at - bytes);
}

void packed_get_causes(struct spill *spill, struct spill_piece piece, struct path_cause *causes)
{
	unsigned char bytes[PACKED_BYTES];
	const unsigned char *at = bytes;
	uint64_t before = 0;

	spill_get(spill, piece, 0, bytes, piece.size);
	for (size_t i = 0; i < PATH_CAUSES; i++) {
		before = number_step(before, number_get(&at));
		causes[i].at = before;
		causes[i].thread = (uint32_t)number_get(&at) - 1;
		causes[i].construct = (uint32_t)number_get(&at) - 1;
		causes[i].arrived = (uint32_t)number_get(&at);
	}
}
