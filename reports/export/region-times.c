/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements region-times.h. */
#include "region-times.h"

#include <stdlib.h>
#include <string.h>

#include "gathered.h"
#include "memory.h"

/* What one thread reads, process by process. */
struct part {
	struct region_times times;
	const struct gathering_choice *choice;
	struct slice_sink sink;
	struct slices *slices;
	uint64_t from, to; /* ticks */
	uint64_t *since;   /* by location: the time from which on its time has not been added */
};

static void start(void *context, uint64_t time)
{
	struct part *part = context;

	gathering_span(part->choice, time, &part->from, &part->to);
}

static void add_time(struct part *part, uint32_t location, uint64_t now)
{
	struct region_times *times = &part->times;
	uint64_t since = part->since[location];
	uint64_t begin = since > part->from ? since : part->from;
	uint64_t end = now < part->to ? now : part->to;
	uint32_t node = times->stacks.places[location].node;

	if (node > times->stacks.processes && part->choice->threads[location] && end > begin) {
		MEMORY_GROW(times->ticks, times->room, times->stacks.count);
		times->ticks[node] += end - begin;
	}
	part->since[location] = now;
}

static void open(void *context, uint32_t location, uint32_t region, uint64_t time)
{
	struct part *part = context;

	add_time(part, location, time);
	region_stacks_open(&part->times.stacks, location, region, time);
}

static void close(
    void *context, uint32_t location, uint32_t region, uint64_t begin, uint64_t end, size_t depth)
{
	struct part *part = context;

	(void)region, (void)begin, (void)depth;
	add_time(part, location, end);
	region_stacks_close(&part->times.stacks, location);
}

static void *part_new(const struct archive *archive, const struct gathering_choice *choice)
{
	struct part *part = memory_new(1, sizeof(*part));

	part->choice = choice;
	part->sink = (struct slice_sink){.context = part, start, open, close, NULL, NULL};
	part->slices = slices_new(archive, &part->sink);
	part->since = memory_new(archive->location_count, sizeof(part->since[0]));
	region_stacks_init(&part->times.stacks, archive, true);
	return part;
}

static void part_free(void *context)
{
	struct part *part = context;

	slices_free(part->slices);
	region_times_free(&part->times);
	free(part->since);
	free(part);
}

static void consume(void *context, const struct archive_event *event)
{
	slices_event(((struct part *)context)->slices, event);
}

static void finish(void *context, const struct archive_process *process, struct message *found)
{
	struct part *part = context;
	struct region_times *times = &part->times;
	size_t before = times->stacks.processes + 1, count;

	slices_end(part->slices, process->locations, process->count);
	MEMORY_GROW(times->ticks, times->room, times->stacks.count);
	region_stacks_exchange(&times->stacks, found, &count);
	message_bytes(found, times->ticks + before, (count - before) * sizeof(times->ticks[0]));
	memset(times->ticks + before, 0, (count - before) * sizeof(times->ticks[0]));
	region_stacks_clear(&times->stacks);
}

static void add(void *sums, const struct archive_process *process, struct message *found)
{
	struct region_times *times = sums;
	size_t count = 0;
	uint32_t *here = region_stacks_exchange(&times->stacks, found, &count);

	(void)process;
	MEMORY_GROW(times->ticks, times->room, times->stacks.count);
	for (size_t i = times->stacks.processes + 1; i < count; i++) {
		uint64_t ticks = 0;

		MESSAGE_FIELD(found, ticks);
		times->ticks[here[i]] += ticks;
	}
	free(here);
}

static void clear(void *sums)
{
	struct region_times *times = sums;

	memset(times->ticks, 0, times->room * sizeof(times->ticks[0]));
	region_stacks_clear(&times->stacks);
}

const struct gathering gathered_region_times = {
    READER_REGION_TIMES, part_new, part_free, consume, finish, add, clear};

/* Brings the ticks into the order of the nodes. */
static void order(struct region_times *times)
{
	uint64_t *ticks = memory_new(times->stacks.count, sizeof(ticks[0]));
	uint32_t *now;

	MEMORY_GROW(times->ticks, times->room, times->stacks.count);
	now = region_stacks_order(&times->stacks);
	for (size_t i = 0; i < times->stacks.count; i++)
		ticks[now[i]] = times->ticks[i];
	free(times->ticks);
	times->ticks = ticks;
	times->room = times->stacks.count;
	free(now);
}

void region_times_read(
    struct region_times *times, struct archive *archive, const struct export_choice *choice)
{
	struct gathering_choice chosen = gathered_choice(archive, choice);

	*times = (struct region_times){.ticks_per_second = archive->ticks_per_second};
	region_stacks_init(&times->stacks, archive, true);
	gathering_read(&gathered_region_times, archive, &chosen, times);
	order(times);
	for (size_t i = 0; i < archive->location_count; i++)
		choice->takes_thread(choice->context, archive, i);
	gathering_choice_free(&chosen);
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
