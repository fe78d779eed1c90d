/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks back through what path.c keeps. Because the walk goes back in time, what it unpacks for a
 * thread is also what it needs there next; it keeps the unpacked pieces of several threads. Ends of
 * waits are found in the order of time instead, thread by thread.
 */
#include <stdlib.h>

#include "memory.h"
#include "packed.h"
#include "path.h"
#include "shared/search.h"

enum { UNPACKED_LANES = 64, UNPACKED_CAUSES = 4 };

struct unpacked_segments {
	bool is_used;
	uint32_t thread;
	size_t number;
	struct path_segment segments[PATH_SEGMENTS];
};

struct unpacked_causes {
	const struct path *part; /* NULL: unused */
	size_t number;
	struct path_cause causes[PATH_CAUSES];
};

struct path_walker {
	const struct path *path;
	struct unpacked_segments segments[UNPACKED_LANES]; /* by thread, modulo UNPACKED_LANES */
	/* By piece number, modulo UNPACKED_CAUSES. */
	struct unpacked_causes causes[UNPACKED_CAUSES];
};

/* The first of the segments that ends at that time or later. */
static size_t find_segment(const struct path_segment *segments, size_t count, uint64_t time)
{
	size_t first;

	SEARCH(first, count, segments[first].to < time);
	return first;
}

/* The same for packed pieces. */
static size_t find_packed(const struct path_lane *lane, uint64_t time)
{
	size_t first;

	SEARCH(first, lane->packed_count, lane->packed[first].to < time);
	return first;
}

static const struct path_segment *unpack_segments(
    struct path_walker *walk, uint32_t thread, size_t number, uint64_t before)
{
	struct unpacked_segments *unpacked = &walk->segments[thread % UNPACKED_LANES];

	if (!unpacked->is_used || unpacked->thread != thread || unpacked->number != number) {
		const struct path_lane *lane = &walk->path->lanes[thread];

		packed_get_segments(
		    lane->part->spill, &lane->packed[number], before, unpacked->segments);
		unpacked->is_used = true;
		unpacked->thread = thread;
		unpacked->number = number;
	}
	return unpacked->segments;
}

/*
 * The thread's segment at that time, and the end of the previous one (0 if there is none); NULL
 * after the thread's last event.
 */
static const struct path_segment *segment_at(
    struct path_walker *walk, uint32_t thread, uint64_t time, uint64_t *before)
{
	const struct path_lane *lane = &walk->path->lanes[thread];
	const struct path_segment *segments = lane->segments;
	size_t number = find_packed(lane, time), at, count = lane->count;

	*before = number > 0 ? lane->packed[number - 1].to : 0;
	if (number < lane->packed_count) {
		segments = unpack_segments(walk, thread, number, *before);
		count = lane->packed[number].count;
	}
	at = find_segment(segments, count, time);
	if (at > 0)
		*before = segments[at - 1].to;
	return at < count ? &segments[at] : NULL;
}

/* Returns false if the part has no such cause. */
static bool find_cause_of_part(
    struct path_walker *walk, const struct path *part, uint32_t cause, struct path_cause *found)
{
	size_t number = cause / PATH_CAUSES;
	struct unpacked_causes *unpacked = &walk->causes[number % UNPACKED_CAUSES];
	uint64_t changed;

	if (cause >= part->cause_count)
		return false;
	if (number >= part->packed_count) {
		*found = part->recent[number % PATH_RECENT][cause % PATH_CAUSES];
		return true;
	}
	changed = map_find(&part->changed_of, cause);
	if (changed != MAP_NONE) {
		*found = part->changed[changed];
		return true;
	}
	if (unpacked->part != part || unpacked->number != number) {
		packed_get_causes(part->spill, part->packed[number], unpacked->causes);
		unpacked->part = part;
		unpacked->number = number;
	}
	*found = unpacked->causes[cause % PATH_CAUSES];
	return true;
}

/* Returns false if nothing is known to have ended the thread's segment. */
static bool find_cause(struct path_walker *walk, uint32_t thread,
    const struct path_segment *segment, struct path_cause *found)
{
	struct remote_end end;

	if (segment->cause != PATH_REMOTE)
		return find_cause_of_part(
		    walk, walk->path->lanes[thread].part, segment->cause, found);
	if (!remote_ends_find(walk->path->remote, thread, segment->to, &end))
		return false;
	*found = (struct path_cause){.at = end.at, .thread = end.by, .construct = PATH_NONE};
	return true;
}

/*
 * What the thread did up to that time. Returns whether a cause ended it at that time, and sets
 * *cause.
 */
static bool step_before(struct path_walker *walk, uint32_t thread, uint64_t start, uint64_t time,
    struct path_step *step, struct path_cause *cause)
{
	uint64_t before;
	const struct path_segment *segment = segment_at(walk, thread, time, &before);
	bool is_ended;

	*step = (struct path_step){.from = before > start ? before : start,
	    .to = time,
	    .thread = thread,
	    .construct = PATH_NONE,
	    .activity = ACTIVITY_NONE,
	    .ended_by = PATH_NONE};
	if (!segment)
		return false;
	step->activity = segment->activity;
	step->construct = segment->construct;
	/*
	 * An unknown cause does not end a wait, nor does one that is later, by a clock that is
	 * ahead.
	 */
	is_ended = segment->to == time && find_cause(walk, thread, segment, cause) &&
		   cause->thread != PATH_NONE && cause->at <= time;
	if (is_ended && step->activity == ACTIVITY_NONE && cause->construct != PATH_NONE) {
		step->activity = ACTIVITY_TEAM;
		step->construct = cause->construct;
	}
	return is_ended;
}

struct path_walker *path_walker_new(const struct path *path)
{
	struct path_walker *walker = memory_new(1, sizeof(*walker));

	walker->path = path;
	return walker;
}

void path_walker_free(struct path_walker *walker)
{
	free(walker);
}

/*
 * A wait that was over before it began (the thread was the last to arrive, the lock was free) is
 * the thread's own time. In a broken trace, jumps between threads that take no time could form a
 * cycle, so there are at most as many in a row as threads.
 */
void path_walker_go(struct path_walker *walker, struct path_position *position, uint64_t start,
    void (*visit)(void *context, const struct path_step *step), void *context)
{
	const struct path *path = walker->path;

	while (position->time > start && !(path->elsewhere && path->elsewhere[position->thread])) {
		struct path_cause cause;
		struct path_step step;
		bool is_ended =
		    step_before(walker, position->thread, start, position->time, &step, &cause);

		if (is_ended && cause.thread != position->thread && cause.at > step.from &&
		    position->jumps <= path->threads) {
			step.waited = cause.at - step.from;
			step.from = cause.at;
			step.ended_by = cause.thread;
			position->thread = cause.thread;
		}
		visit(context, &step);
		position->jumps = step.from == position->time ? position->jumps + 1 : 0;
		position->time = step.from;
	}
}

void path_walk(const struct path *path, uint32_t thread, uint64_t start, uint64_t end,
    void (*visit)(void *context, const struct path_step *step), void *context)
{
	struct path_position position = {.time = end, .thread = thread};
	struct path_walker *walker = path_walker_new(path);

	path_walker_go(walker, &position, start, visit, context);
	path_walker_free(walker);
}

void path_for_each_end(const struct path *path, uint32_t thread,
    void (*visit)(void *context, const struct path_segment *wait, const struct path_cause *cause),
    void *context)
{
	const struct path_lane *lane = &path->lanes[thread];
	struct path_walker *walk = path_walker_new(path);

	for (size_t number = 0; number <= lane->packed_count; number++) {
		bool is_packed = number < lane->packed_count;
		const struct path_segment *segments =
		    is_packed ? unpack_segments(walk, thread, number,
				    number > 0 ? lane->packed[number - 1].to : 0)
			      : lane->segments;
		size_t count = is_packed ? lane->packed[number].count : lane->count;

		for (size_t i = 0; i < count; i++) {
			struct path_cause cause;

			if (segments[i].activity != ACTIVITY_NONE &&
			    find_cause(walk, thread, &segments[i], &cause) &&
			    cause.thread != PATH_NONE && cause.thread != thread)
				visit(context, &segments[i], &cause);
		}
	}
	path_walker_free(walk);
}
