/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds stretches of time to bins, and keeps the stretches themselves if there is room. */
#include <stdbool.h>
#include <stdlib.h>

#include "memory.h"
#include "shared/precondition.h"
#include "timeline.h"

static void lay_out_rows(struct timeline *timeline, const struct timeline_shape *shape)
{
	timeline->rows = shape->rows > 0 ? shape->rows : timeline->threads;
	timeline->row_begins = memory_new(timeline->rows + 1, sizeof(timeline->row_begins[0]));
	timeline->row_of = memory_new(timeline->threads, sizeof(timeline->row_of[0]));
	for (size_t i = 0; i < timeline->rows; i++)
		timeline->row_begins[i] = shape->rows > 0 ? shape->row_begins[i] : i;
	timeline->row_begins[timeline->rows] = timeline->threads;
	for (size_t i = 0; i < timeline->rows; i++) {
		for (size_t thread = timeline->row_begins[i]; thread < timeline->row_begins[i + 1];
		     thread++)
			timeline->row_of[thread] = (uint32_t)i;
	}
}

struct timeline *timeline_new(
    size_t threads, const struct timeline_shape *shape, uint64_t start, uint64_t length)
{
	struct timeline *timeline = memory_new(1, sizeof(*timeline));

	timeline->start = start;
	timeline->bins = shape->bins;
	timeline->threads = threads;
	lay_out_rows(timeline, shape);
	timeline->length = length > 0 ? length : 1;
	timeline->bin_ticks = (double)timeline->length / (double)timeline->bins;
	timeline->cells = memory_new(timeline->rows * timeline->bins, sizeof(timeline->cells[0]));
	timeline->stretches_max = shape->stretches_max;
	return timeline;
}

void timeline_free(struct timeline *timeline)
{
	if (!timeline)
		return;
	free(timeline->stretches);
	free(timeline->cells);
	free(timeline->row_begins);
	free(timeline->row_of);
	free(timeline);
}

struct timeline *timeline_new_part(const struct timeline *timeline)
{
	struct timeline *part = memory_new(1, sizeof(*part));

	*part = *timeline;
	return part;
}

static void keep_none(struct timeline *timeline)
{
	free(timeline->stretches);
	timeline->stretches = NULL;
	timeline->stretch_count = timeline->stretches_max = 0;
}

static void keep(struct timeline *timeline, const struct timeline_stretch *stretch)
{
	if (timeline->stretch_count == timeline->stretches_max) {
		keep_none(timeline);
		return;
	}
	*MEMORY_ADD(timeline->stretches, timeline->stretch_room, timeline->stretch_count) =
	    *stretch;
}

void timeline_join(struct timeline *timeline, struct timeline *part)
{
	/* The part had more than can be kept, and so does the whole. */
	bool has_more = part->stretches_max < timeline->stretches_max;

	for (size_t i = 0; i < part->stretch_count && timeline->stretches_max > 0; i++)
		keep(timeline, &part->stretches[i]);
	if (has_more)
		keep_none(timeline);
	free(part->stretches);
	free(part);
}

static int compare_stretches(const void *first, const void *second)
{
	const struct timeline_stretch *one = first, *other = second;

	if (one->thread != other->thread)
		return one->thread < other->thread ? -1 : 1;
	return (one->from > other->from) - (one->from < other->from);
}

void timeline_finish(struct timeline *timeline)
{
	if (timeline->stretch_count > 0)
		qsort(timeline->stretches, timeline->stretch_count, sizeof(timeline->stretches[0]),
		    compare_stretches);
}

static void vote(struct timeline_bin *bin, uint32_t construct, float ticks)
{
	if (bin->construct == construct) {
		bin->lead += ticks;
	} else if (bin->lead >= ticks) {
		bin->lead -= ticks;
	} else {
		bin->lead = ticks - bin->lead;
		bin->construct = construct;
	}
}

void timeline_add(struct timeline *timeline, size_t thread, enum activity activity,
    uint32_t construct, uint64_t from, uint64_t to)
{
	CHECK(thread < timeline->threads, "the timeline has the thread");

	uint64_t end = timeline->start + timeline->length;
	struct timeline_bin *cells = &timeline->cells[timeline->row_of[thread] * timeline->bins];
	double at, last;

	if (from < timeline->start)
		from = timeline->start;
	if (to > end)
		to = end;
	if (from >= to)
		return;
	if (timeline->stretches_max > 0)
		keep(timeline,
		    &(struct timeline_stretch){from, to, (uint32_t)thread, construct, activity});
	at = (double)(from - timeline->start);
	last = (double)(to - timeline->start);
	for (size_t bin = (size_t)(at / timeline->bin_ticks); bin < timeline->bins && at < last;
	     bin++) {
		double next = (double)(bin + 1) * timeline->bin_ticks;
		double until = last < next || bin + 1 == timeline->bins ? last : next;

		if (until <= at)
			continue; /* rounding: the stretch begins in the next bin */
		cells[bin].ticks[activity] += (float)(until - at);
		vote(&cells[bin], construct, (float)(until - at));
		at = until;
	}
}

enum activity timeline_main_activity(const struct timeline_bin *bin)
{
	enum activity main = ACTIVITY_NONE;

	for (int i = 1; i < ACTIVITIES; i++) {
		if (bin->ticks[i] > bin->ticks[main])
			main = (enum activity)i;
	}
	return main;
}

void timeline_apportion(const struct timeline_bin *bin, double whole, int parts,
    double carried[ACTIVITIES], unsigned char shares[ACTIVITIES])
{
	double idle = parts;

	for (int i = ACTIVITY_NONE + 1; i < ACTIVITIES; i++) {
		double share = (double)bin->ticks[i] / whole * parts;

		carried[i] += share;
		idle -= share;
	}
	carried[ACTIVITY_NONE] += idle;
	for (int part = 0; part < parts; part++) {
		int most = 0;

		for (int i = 1; i < ACTIVITIES; i++)
			most = carried[i] > carried[most] ? i : most;
		shares[most]++;
		carried[most]--;
	}
}
