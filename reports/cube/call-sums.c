/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements call-sums.h. */
#include "call-sums.h"

#include <stdlib.h>

#include "memory.h"
#include "shared/precondition.h"

#define PROGRAM 0 /* the root of the stacks */

struct collecting {
	struct call_sums *sums;
	const struct archive *archive;
	const struct export_choice *choice;
	const uint32_t *columns;
	uint64_t from, to; /* ticks */
	uint64_t *since;   /* by location: the time from which on its time has not been added */
};

static struct call_cell *cell_of(struct call_sums *sums, uint32_t node, uint32_t column)
{
	CHECK(column < sums->columns, "the column is one of those announced");
	MEMORY_GROW(sums->rows, sums->room, (size_t)node + 1);
	if (!sums->rows[node])
		sums->rows[node] = memory_new(sums->columns, sizeof(struct call_cell));
	return &sums->rows[node][column];
}

static uint32_t node_of(const struct collecting *collecting, uint32_t location)
{
	return collecting->sums->stacks.regions.places[location].node;
}

static void start(void *context, uint64_t time)
{
	struct collecting *collecting = context;

	export_span(
	    collecting->archive, collecting->choice, time, &collecting->from, &collecting->to);
}

/* Call it before the location's stack changes, or what it waits for. */
static void add_time(struct collecting *collecting, uint32_t location, uint64_t now)
{
	uint64_t since = collecting->since[location];
	uint64_t begin = since > collecting->from ? since : collecting->from;
	uint64_t end = now < collecting->to ? now : collecting->to;
	uint32_t node = node_of(collecting, location), column = collecting->columns[location];

	collecting->since[location] = now;
	if (node == PROGRAM || column == ARCHIVE_NO_INDEX || end <= begin)
		return;

	struct call_cell *cell = cell_of(collecting->sums, node, column);

	cell->ticks += end - begin;
	if (sample_stacks_wait(&collecting->sums->stacks, location))
		cell->wait += end - begin;
}

static void open_slice(void *context, uint32_t location, uint32_t region, uint64_t time)
{
	struct collecting *collecting = context;

	add_time(collecting, location, time);
	sample_stacks_open(&collecting->sums->stacks, location, region);
}

static void visit(void *context, uint32_t location, uint64_t time)
{
	struct collecting *collecting = context;
	uint32_t column = collecting->columns[location];

	if (column != ARCHIVE_NO_INDEX && time >= collecting->from && time < collecting->to)
		cell_of(collecting->sums, node_of(collecting, location), column)->visits++;
}

static void close_slice(
    void *context, uint32_t location, uint32_t region, uint64_t begin, uint64_t end, size_t depth)
{
	struct collecting *collecting = context;

	(void)region, (void)begin, (void)depth;
	add_time(collecting, location, end);
	sample_stacks_close(&collecting->sums->stacks, location);
}

/* A lock that is acquired ends the wait for it. */
static void other_event(void *context, const struct archive_event *event)
{
	struct collecting *collecting = context;

	if (event->kind != EVENT_ACQUIRE)
		return;
	add_time(collecting, event->location, event->time);
	sample_stacks_event(&collecting->sums->stacks, event);
}

static void add_outside(const struct collecting *collecting, uint64_t last)
{
	struct call_sums *sums = collecting->sums;
	uint64_t end = last < collecting->to ? last : collecting->to;
	uint64_t whole = end > collecting->from ? end - collecting->from : 0;

	for (uint32_t i = 0; i < collecting->archive->thread_count; i++) {
		uint32_t column = collecting->columns[i];
		uint64_t inside = 0;

		if (column == ARCHIVE_NO_INDEX ||
		    collecting->archive->locations[i].events_read == 0)
			continue;
		for (size_t node = 0; node < sums->stacks.regions.count; node++)
			inside += sums->rows[node] ? sums->rows[node][column].ticks : 0;
		if (whole > inside)
			cell_of(sums, PROGRAM, column)->ticks = whole - inside;
	}
}

/* Nodes come after those that call them: their order is that of the first visits. */
static void order_nodes(struct call_sums *sums)
{
	const struct region_stacks *stacks = &sums->stacks.regions;
	uint32_t *first_called = memory_new(stacks->count, sizeof(first_called[0]));
	uint32_t *sister = memory_new(stacks->count, sizeof(sister[0])); /* 0: none */
	uint32_t node = PROGRAM;
	size_t count = 0;

	for (uint32_t i = (uint32_t)stacks->count; i-- > 1;) {
		uint32_t parent = stacks->nodes[i].parent;

		sister[i] = first_called[parent];
		first_called[parent] = i;
	}
	sums->order = memory_new(stacks->count, sizeof(sums->order[0]));
	for (;;) {
		sums->order[count++] = node;
		if (first_called[node] != 0) {
			node = first_called[node];
			continue;
		}
		while (node != PROGRAM && sister[node] == 0)
			node = stacks->nodes[node].parent;
		if (node == PROGRAM)
			break;
		node = sister[node];
	}
	free(first_called);
	free(sister);
}

void call_sums_read(struct call_sums *sums, struct archive *archive,
    const struct export_choice *choice, const uint32_t *columns, size_t count)
{
	struct collecting collecting = {
	    .sums = sums, .archive = archive, .choice = choice, .columns = columns};
	struct slice_sink sink = {.context = &collecting,
	    .start = start,
	    .open = open_slice,
	    .visit = visit,
	    .close = close_slice,
	    .event = other_event};
	uint64_t last;

	*sums = (struct call_sums){.columns = count};
	collecting.since = memory_new(archive->location_count, sizeof(collecting.since[0]));
	sample_stacks_init(&sums->stacks, archive, false);
	last = slices_read(archive, &sink);
	MEMORY_GROW(sums->rows, sums->room, sums->stacks.regions.count);
	add_outside(&collecting, last);
	order_nodes(sums);
	free(collecting.since);
}

void call_sums_free(struct call_sums *sums)
{
	for (size_t i = 0; i < sums->stacks.regions.count; i++)
		free(sums->rows[i]);
	free(sums->rows);
	free(sums->order);
	sample_stacks_free(&sums->stacks);
}

/* Outside of parallel regions nobody else can be waited for. */
static bool is_in_parallel(const struct call_sums *sums, uint32_t node)
{
	const struct archive *archive = sums->stacks.archive;

	for (; node != PROGRAM; node = sums->stacks.regions.nodes[node].parent) {
		uint32_t region = call_sums_region(sums, node);

		if (region < archive->region_count &&
		    archive->regions[region].role == OTF2_REGION_ROLE_PARALLEL)
			return true;
	}
	return false;
}

enum activity call_sums_wait(const struct call_sums *sums, uint32_t node)
{
	const struct archive *archive = sums->stacks.archive;
	uint32_t region = call_sums_region(sums, node);

	return is_in_parallel(sums, node) && region < archive->region_count
		   ? sums->stacks.waits[region]
		   : ACTIVITY_NONE;
}
