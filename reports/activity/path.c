/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what threads did and what ended their waits, and walks back through it. */
#include "path.h"

#include <stdlib.h>

#include "memory.h"

struct path *path_new(size_t threads, size_t kept_max)
{
	struct path *path = memory_new(1, sizeof(*path));

	path->lanes = memory_new(threads, sizeof(path->lanes[0]));
	path->threads = threads;
	path->kept_max = kept_max;
	return path;
}

static void drop(struct path *path)
{
	for (size_t i = 0; i < path->threads; i++) {
		free(path->lanes[i].segments);
		path->lanes[i] = (struct path_lane){0};
	}
	free(path->causes);
	path->causes = NULL;
	path->cause_count = path->cause_room = 0;
}

void path_free(struct path *path)
{
	if (!path)
		return;
	drop(path);
	free(path->lanes);
	free(path);
}

/* Whether one more may be kept. */
static bool take_room(struct path *path)
{
	if (!path->full && path->kept++ == path->kept_max) {
		path->full = true;
		drop(path);
	}
	return !path->full;
}

void path_add(
    struct path *path, uint32_t thread, enum activity activity, uint32_t construct, uint64_t to)
{
	struct path_lane *lane = &path->lanes[thread];
	struct path_segment *last = lane->count ? &lane->segments[lane->count - 1] : NULL;

	if (last && to <= last->to)
		return;
	if (last && last->activity == activity && last->construct == construct &&
	    last->cause == PATH_NONE) {
		last->to = to;
		return;
	}
	if (!take_room(path))
		return;
	lane->segments =
	    memory_grow(lane->segments, &lane->room, lane->count + 1, sizeof(lane->segments[0]));
	lane->segments[lane->count++] = (struct path_segment){to, construct, PATH_NONE, activity};
}

uint32_t path_new_cause(struct path *path, uint32_t thread, uint64_t at, uint32_t construct)
{
	if (!take_room(path))
		return PATH_NONE;
	path->causes = memory_grow(
	    path->causes, &path->cause_room, path->cause_count + 1, sizeof(path->causes[0]));
	path->causes[path->cause_count] =
	    (struct path_cause){.at = at, .thread = thread, .construct = construct};
	return (uint32_t)path->cause_count++;
}

struct path_cause *path_cause(struct path *path, uint32_t cause)
{
	return cause < path->cause_count ? &path->causes[cause] : NULL;
}

void path_end_wait(
    struct path *path, uint32_t thread, enum activity activity, uint64_t now, uint32_t cause)
{
	struct path_lane *lane = &path->lanes[thread];
	struct path_segment *last = lane->count ? &lane->segments[lane->count - 1] : NULL;

	/* A wait that took no time was not added. */
	if (last && last->to == now && last->activity == activity && last->cause == PATH_NONE)
		last->cause = cause;
}

/* The first segment that reaches up to that time. */
static size_t find_segment(const struct path_lane *lane, uint64_t time)
{
	size_t low = 0, high = lane->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lane->segments[middle].to < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What the thread did up to that time, and what ended it if it ended then. */
static struct path_step step_before(const struct path *path, uint32_t thread, uint64_t start,
    uint64_t time, const struct path_cause **cause)
{
	const struct path_lane *lane = &path->lanes[thread];
	size_t at = find_segment(lane, time);
	struct path_step step = {.from = start,
	    .to = time,
	    .thread = thread,
	    .construct = PATH_NONE,
	    .activity = ACTIVITY_NONE,
	    .ended_by = PATH_NONE};

	*cause = NULL;
	if (at > 0 && lane->segments[at - 1].to > start)
		step.from = lane->segments[at - 1].to;
	if (at == lane->count)
		return step; /* after the thread's last event */
	step.activity = lane->segments[at].activity;
	step.construct = lane->segments[at].construct;
	if (lane->segments[at].to == time && lane->segments[at].cause < path->cause_count)
		*cause = &path->causes[lane->segments[at].cause];
	if (*cause && ((*cause)->thread == PATH_NONE || (*cause)->at > time))
		*cause = NULL; /* not known, or by a clock that is ahead */
	if (*cause && step.activity == ACTIVITY_NONE && (*cause)->construct != PATH_NONE) {
		step.activity = ACTIVITY_TEAM;
		step.construct = (*cause)->construct;
	}
	return step;
}

/*
 * A wait that was over before it began (the thread was the last to arrive, the lock was free) is
 * the thread's own time. Jumps between threads that take no time could go round in a broken trace:
 * so there are no more of them in a row than threads.
 */
void path_walk(const struct path *path, uint32_t thread, uint64_t start, uint64_t end,
    void (*visit)(void *context, const struct path_step *step), void *context)
{
	size_t jumps = 0;

	while (end > start) {
		const struct path_cause *cause;
		struct path_step step = step_before(path, thread, start, end, &cause);

		if (cause && cause->thread != thread && cause->at > step.from &&
		    jumps <= path->threads) {
			step.waited = cause->at - step.from;
			step.from = cause->at;
			step.ended_by = cause->thread;
			thread = cause->thread;
		}
		visit(context, &step);
		jumps = step.from == end ? jumps + 1 : 0;
		end = step.from;
	}
}
