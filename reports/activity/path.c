/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps what threads did and what ended their waits; path-walk.c finds the path in it. The latest
 * segments and causes stay unpacked, because they may still change; all others are packed. If a
 * packed cause does change (that of a barrier that a thread reaches long after the others), it is
 * unpacked and from then on kept in the list of changed causes.
 */
#include "path.h"

#include <stdlib.h>

#include "memory.h"
#include "packed.h"
#include "shared/precondition.h"

struct path *path_new(size_t threads, size_t memory_max)
{
	struct path *path = memory_new(1, sizeof(*path));

	path->lanes = memory_new(threads, sizeof(path->lanes[0]));
	path->threads = threads;
	path->memory_max = memory_max;
	path->spill = spill_new(memory_max);
	path->remote = remote_ends_new(threads, memory_max / 4);
	path->bytes = memory_new(PACKED_BYTES, 1);
	return path;
}

struct path *path_new_part(const struct path *whole, size_t shares)
{
	struct path *part = memory_new(1, sizeof(*part));

	part->is_part = true;
	part->lanes = whole->lanes;
	part->threads = whole->threads;
	part->spill = spill_new(whole->memory_max / shares);
	part->bytes = memory_new(PACKED_BYTES, 1);
	return part;
}

void path_join(struct path *whole, struct path *part)
{
	free(part->bytes);
	part->bytes = NULL;
	*MEMORY_ADD(whole->parts, whole->part_room, whole->part_count) = part;
}

static void free_lanes(struct path *path)
{
	for (size_t i = 0; i < path->threads; i++) {
		free(path->lanes[i].segments);
		free(path->lanes[i].packed);
	}
	free(path->lanes);
}

void path_free(struct path *path)
{
	if (!path)
		return;
	for (size_t i = 0; i < path->part_count; i++)
		path_free(path->parts[i]);
	free(path->parts);
	if (!path->is_part)
		free_lanes(path);
	remote_ends_free(path->remote);
	free(path->elsewhere);
	for (size_t i = 0; i < PATH_RECENT; i++)
		free(path->recent[i]);
	map_free(&path->changed_of);
	free(path->changed);
	free(path->packed);
	spill_free(path->spill);
	free(path->bytes);
	free(path);
}

/* Packs the first segments. */
static void pack_segments(struct path *path, struct path_lane *lane, size_t count)
{
	uint64_t before = lane->packed_count ? lane->packed[lane->packed_count - 1].to : 0;
	size_t size = packed_put_segments(path->bytes, before, lane->segments, count);
	struct spill_piece piece = spill_put(path->spill, path->bytes, size);

	*MEMORY_ADD(lane->packed, lane->packed_room, lane->packed_count) = (struct path_packed){
	    lane->segments[count - 1].to, piece.at, piece.size, (uint32_t)count};
}

/* Packs all segments except the last, which may still change. */
static void pack_full(struct path *path, struct path_lane *lane)
{
	pack_segments(path, lane, PATH_SEGMENTS);
	lane->segments[0] = lane->segments[PATH_SEGMENTS];
	lane->count = 1;
}

void path_close_thread(struct path *path, uint32_t thread)
{
	CHECK(thread < path->threads, "the path has the thread");

	struct path_lane *lane = &path->lanes[thread];

	/* The last one no longer changes. */
	if (lane->count > PATH_SEGMENTS)
		pack_full(path, lane);
	if (lane->count > 0)
		pack_segments(path, lane, lane->count);
	free(lane->segments);
	lane->segments = NULL;
	lane->count = lane->room = 0;
}

void path_add(
    struct path *path, uint32_t thread, enum activity activity, uint32_t construct, uint64_t to)
{
	CHECK(thread < path->threads, "the path has the thread");

	struct path_lane *lane = &path->lanes[thread];
	struct path_segment *last = lane->count ? &lane->segments[lane->count - 1] : NULL;

	if (last && to <= last->to)
		return;
	if (last && last->activity == activity && last->construct == construct &&
	    last->cause == PATH_NONE) {
		last->to = to;
		return;
	}
	lane->part = path;
	if (lane->count == PATH_SEGMENTS + 1)
		pack_full(path, lane);
	if (lane->count == lane->room)
		MEMORY_GROW(lane->segments, lane->room, lane->count + 1);
	lane->segments[lane->count++] = (struct path_segment){to, construct, PATH_NONE, activity};
}

static bool is_packed(const struct path *path, uint32_t cause)
{
	return cause / PATH_CAUSES < path->packed_count;
}

/* Makes room for the next causes by packing the oldest recent ones. */
static void begin_causes(struct path *path)
{
	size_t number = path->cause_count / PATH_CAUSES;
	struct path_cause **recent = &path->recent[number % PATH_RECENT];
	size_t size;

	if (!*recent) {
		*recent = memory_new(PATH_CAUSES, sizeof(**recent));
		return;
	}
	size = packed_put_causes(path->bytes, *recent);
	*MEMORY_ADD(path->packed, path->packed_room, path->packed_count) =
	    spill_put(path->spill, path->bytes, size);
}

uint32_t path_new_cause(struct path *path, uint32_t thread, uint64_t at, uint32_t construct)
{
	size_t number = path->cause_count;

	if (number == PATH_REMOTE)
		return PATH_NONE;
	if (number % PATH_CAUSES == 0)
		begin_causes(path);
	path->recent[number / PATH_CAUSES % PATH_RECENT][number % PATH_CAUSES] =
	    (struct path_cause){.at = at, .thread = thread, .construct = construct};
	path->cause_count++;
	return (uint32_t)number;
}

static struct path_cause *change_packed(struct path *path, uint32_t cause)
{
	uint64_t index = map_find(&path->changed_of, cause);

	if (index == MAP_NONE) {
		struct path_cause *causes = memory_new(PATH_CAUSES, sizeof(causes[0]));

		packed_get_causes(path->spill, path->packed[cause / PATH_CAUSES], causes);
		index = path->changed_count++;
		MEMORY_GROW(path->changed, path->changed_room, path->changed_count);
		path->changed[index] = causes[cause % PATH_CAUSES];
		memory_map_set(&path->changed_of, cause, index);
		free(causes);
	}
	return &path->changed[index];
}

struct path_cause *path_cause(struct path *path, uint32_t cause)
{
	if (cause >= path->cause_count)
		return NULL;
	if (is_packed(path, cause))
		return change_packed(path, cause);
	return &path->recent[cause / PATH_CAUSES % PATH_RECENT][cause % PATH_CAUSES];
}

bool path_end_wait(
    struct path *path, uint32_t thread, enum activity activity, uint64_t now, uint32_t cause)
{
	CHECK(thread < path->threads, "the path has the thread");

	struct path_lane *lane = &path->lanes[thread];
	struct path_segment *last = lane->count ? &lane->segments[lane->count - 1] : NULL;

	/* A wait that took no time was not added. */
	if (!last || last->to != now || last->activity != activity || last->cause != PATH_NONE)
		return false;
	last->cause = cause;
	return true;
}
