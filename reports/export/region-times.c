/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements region-times.h. */
#include "region-times.h"

#include <stdlib.h>

#include "memory.h"

struct collecting {
	struct region_times *times;
	const struct archive *archive;
	const struct export_choice *choice;
	uint64_t from, to; /* ticks */
	/* By location. */
	uint64_t *since; /* the time from which on its time has not been added */
	bool *counts;    /* the thread is chosen */
};

static void start(void *context, uint64_t time)
{
	struct collecting *collecting = context;

	export_span(
	    collecting->archive, collecting->choice, time, &collecting->from, &collecting->to);
}

static void add_time(struct collecting *collecting, uint32_t location, uint64_t now)
{
	uint64_t since = collecting->since[location];
	uint64_t begin = since > collecting->from ? since : collecting->from;
	uint64_t end = now < collecting->to ? now : collecting->to;
	uint32_t node = collecting->times->stacks.places[location].node;

	if (node > collecting->times->stacks.processes && collecting->counts[location] &&
	    end > begin) {
		MEMORY_GROW(collecting->times->ticks, collecting->times->room,
		    collecting->times->stacks.count);
		collecting->times->ticks[node] += end - begin;
	}
	collecting->since[location] = now;
}

static void open(void *context, uint32_t location, uint32_t region, uint64_t time)
{
	struct collecting *collecting = context;

	add_time(collecting, location, time);
	region_stacks_open(&collecting->times->stacks, location, region);
}

static void close(
    void *context, uint32_t location, uint32_t region, uint64_t begin, uint64_t end, size_t depth)
{
	struct collecting *collecting = context;

	(void)region, (void)begin, (void)depth;
	add_time(collecting, location, end);
	region_stacks_close(&collecting->times->stacks, location);
}

void region_times_read(
    struct region_times *times, struct archive *archive, const struct export_choice *choice)
{
	struct collecting collecting = {.times = times, .archive = archive, .choice = choice};
	struct slice_sink sink = {&collecting, start, open, close, NULL};

	*times = (struct region_times){0};
	collecting.since = memory_new(archive->location_count, sizeof(collecting.since[0]));
	collecting.counts = memory_new(archive->location_count, sizeof(collecting.counts[0]));
	for (size_t i = 0; i < archive->location_count; i++)
		collecting.counts[i] = choice->takes_thread(choice->context, archive, i);
	region_stacks_init(&times->stacks, archive, true);
	slices_read(archive, &sink);
	MEMORY_GROW(times->ticks, times->room, times->stacks.count);
	times->ticks_per_second = archive->ticks_per_second;
	free(collecting.since);
	free(collecting.counts);
}

uint64_t region_times_own(const struct region_times *times, uint32_t node)
{
	return (
	    uint64_t)((unsigned __int128)times->ticks[node] * 1000000000 / times->ticks_per_second);
}

void region_times_free(struct region_times *times)
{
	region_stacks_free(&times->stacks);
	free(times->ticks);
}
