/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements call-sums.h. */
#include "call-sums.h"

#include <stdlib.h>

#include "gathered.h"
#include "memory.h"
#include "shared/precondition.h"

#define PROGRAM 0 /* the root of the stacks */

static struct call_cell *cell_of(struct call_sums *sums, uint32_t node, uint32_t column)
{
	CHECK(column < sums->columns, "the column is one of those announced");
	MEMORY_GROW(sums->rows, sums->room, (size_t)node + 1);
	if (!sums->rows[node])
		sums->rows[node] = memory_new(sums->columns, sizeof(struct call_cell));
	return &sums->rows[node][column];
}

/* What one thread reads, process by process. */
struct call_part {
	struct sample_stacks stacks;
	const struct archive *archive;
	const struct gathering_choice *choice;
	struct slice_sink sink;
	struct slices *slices;
	uint64_t from, to;       /* ticks */
	uint64_t *since;         /* by location: from then on its time has not been added */
	uint32_t *slots;         /* by location: its place among those of its process */
	size_t slot_count;       /* of the largest process */
	struct call_cell *cells; /* by node and slot */
	size_t room;
};

static void start(void *context, uint64_t time)
{
	struct call_part *part = context;

	gathering_span(part->choice, time, &part->from, &part->to);
}

static struct call_cell *cell_at(struct call_part *part, uint32_t node, uint32_t location)
{
	MEMORY_GROW(part->cells, part->room, (node + (size_t)1) * part->slot_count);
	return &part->cells[node * part->slot_count + part->slots[location]];
}

static uint32_t node_of(const struct call_part *part, uint32_t location)
{
	return part->stacks.regions.places[location].node;
}

/* Call it before the location's stack changes, or what it waits for. */
static void add_time(struct call_part *part, uint32_t location, uint64_t now)
{
	uint64_t since = part->since[location];
	uint64_t begin = since > part->from ? since : part->from;
	uint64_t end = now < part->to ? now : part->to;
	uint32_t node = node_of(part, location);

	part->since[location] = now;
	if (node == PROGRAM || !part->choice->threads[location] || end <= begin)
		return;

	struct call_cell *cell = cell_at(part, node, location);

	cell->ticks += end - begin;
	if (sample_stacks_wait(&part->stacks, location))
		cell->wait += end - begin;
}

static void open_slice(void *context, uint32_t location, uint32_t region, uint64_t time)
{
	struct call_part *part = context;

	add_time(part, location, time);
	sample_stacks_open(&part->stacks, location, region, time);
}

static void visit(void *context, uint32_t location, uint64_t time)
{
	struct call_part *part = context;

	if (part->choice->threads[location] && time >= part->from && time < part->to)
		cell_at(part, node_of(part, location), location)->visits++;
}

static void close_slice(
    void *context, uint32_t location, uint32_t region, uint64_t begin, uint64_t end, size_t depth)
{
	struct call_part *part = context;

	(void)region, (void)begin, (void)depth;
	add_time(part, location, end);
	sample_stacks_close(&part->stacks, location);
}

/* A lock that is acquired ends the wait for it. */
static void other_event(void *context, const struct archive_event *event)
{
	struct call_part *part = context;

	if (event->kind != EVENT_ACQUIRE)
		return;
	add_time(part, event->location, event->time);
	sample_stacks_event(&part->stacks, event);
}

static void find_slots(struct call_part *part)
{
	const struct archive *archive = part->archive;
	uint32_t *counts = memory_new(archive->group_count + 1, sizeof(counts[0]));

	part->slots = memory_new(archive->location_count, sizeof(part->slots[0]));
	for (size_t i = 0; i < archive->location_count; i++) {
		uint32_t group = archive->locations[i].group;
		uint32_t *count = &counts[group == ARCHIVE_NO_INDEX ? archive->group_count : group];

		part->slots[i] = (*count)++;
		if (*count > part->slot_count)
			part->slot_count = *count;
	}
	free(counts);
}

static void *part_new(const struct archive *archive, const struct gathering_choice *choice)
{
	struct call_part *part = memory_new(1, sizeof(*part));

	part->archive = archive;
	part->choice = choice;
	part->sink = (struct slice_sink){.context = part,
	    .start = start,
	    .open = open_slice,
	    .visit = visit,
	    .close = close_slice,
	    .event = other_event};
	part->slices = slices_new(archive, &part->sink);
	part->since = memory_new(archive->location_count, sizeof(part->since[0]));
	sample_stacks_init(&part->stacks, archive, false);
	find_slots(part);
	return part;
}

static void part_free(void *context)
{
	struct call_part *part = context;

	slices_free(part->slices);
	sample_stacks_free(&part->stacks);
	free(part->since);
	free(part->slots);
	free(part->cells);
	free(part);
}

static void consume(void *context, const struct archive_event *event)
{
	slices_event(((struct call_part *)context)->slices, event);
}

/* The cells with values, each after its node and location, and after the last one the program. */
static void put_cells(
    struct call_part *part, const struct archive_process *process, struct message *found)
{
	uint32_t end = PROGRAM;

	for (uint32_t node = PROGRAM + 1; node < part->stacks.regions.count; node++) {
		for (size_t i = 0; i < process->count; i++) {
			struct call_cell *cell = cell_at(part, node, process->locations[i]);

			if (cell->visits == 0 && cell->ticks == 0)
				continue;
			MESSAGE_FIELD(found, node);
			MESSAGE_FIELD(found, process->locations[i]);
			MESSAGE_FIELD(found, *cell);
			*cell = (struct call_cell){0};
		}
	}
	MESSAGE_FIELD(found, end);
}

static void finish(void *context, const struct archive_process *process, struct message *found)
{
	struct call_part *part = context;
	uint64_t last = slices_end(part->slices, process->locations, process->count);
	size_t count;

	MESSAGE_FIELD(found, last);
	region_stacks_exchange(&part->stacks.regions, found, &count);
	put_cells(part, process, found);
	region_stacks_clear(&part->stacks.regions);
}

/* What the parts are added to. */
struct whole {
	struct call_sums *sums;
	const uint32_t *columns;
	uint64_t last; /* ticks: of the last event, or 0 without events */
};

static void add_cells(struct whole *whole, const uint32_t *here, struct message *found)
{
	for (;;) {
		uint32_t node = PROGRAM, location = 0;
		struct call_cell cell, *sum;

		MESSAGE_FIELD(found, node);
		if (node == PROGRAM)
			return;
		MESSAGE_FIELD(found, location);
		MESSAGE_FIELD(found, cell);
		sum = cell_of(whole->sums, here[node], whole->columns[location]);
		sum->visits += cell.visits;
		sum->ticks += cell.ticks;
		sum->wait += cell.wait;
	}
}

static void add(void *context, const struct archive_process *process, struct message *found)
{
	struct whole *whole = context;
	uint64_t last = 0;
	uint32_t *here;
	size_t count;

	(void)process;
	MESSAGE_FIELD(found, last);
	if (last > whole->last)
		whole->last = last;
	here = region_stacks_exchange(&whole->sums->stacks.regions, found, &count);
	add_cells(whole, here, found);
	free(here);
}

static void free_rows(struct call_sums *sums)
{
	for (size_t i = 0; i < sums->room; i++)
		free(sums->rows[i]);
	free(sums->rows);
	sums->rows = NULL;
	sums->room = 0;
}

static void clear(void *context)
{
	struct whole *whole = context;

	free_rows(whole->sums);
	region_stacks_clear(&whole->sums->stacks.regions);
	whole->last = 0;
}

const struct gathering gathered_call_sums = {
    READER_CALL_SUMS, part_new, part_free, consume, finish, add, clear};

/* first: the time of the first event. */
static void add_outside(struct call_sums *sums, const struct whole *whole,
    const struct gathering_choice *choice, uint64_t first)
{
	const struct archive *archive = sums->stacks.archive;
	uint64_t from, to, end, time;

	gathering_span(choice, first, &from, &to);
	end = whole->last < to ? whole->last : to;
	time = end > from ? end - from : 0;
	for (uint32_t i = 0; i < archive->thread_count; i++) {
		uint32_t column = whole->columns[i];
		uint64_t inside = 0;

		if (column == ARCHIVE_NO_INDEX || archive->locations[i].events_read == 0)
			continue;
		for (size_t node = 0; node < sums->stacks.regions.count; node++)
			inside += sums->rows[node] ? sums->rows[node][column].ticks : 0;
		if (time > inside)
			cell_of(sums, PROGRAM, column)->ticks = time - inside;
	}
}

/* Numbers the nodes, with their rows, in the order of the first visits. */
static void number_nodes(struct call_sums *sums)
{
	size_t count = sums->stacks.regions.count;
	struct call_cell **rows = memory_new(count, sizeof(rows[0]));
	uint32_t *now = region_stacks_order(&sums->stacks.regions);

	MEMORY_GROW(sums->rows, sums->room, count);
	for (size_t i = 0; i < count; i++)
		rows[now[i]] = sums->rows[i];
	free(sums->rows);
	sums->rows = rows;
	sums->room = count;
	free(now);
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
	struct gathering_choice chosen = gathered_choice(archive, choice);
	struct whole whole = {.sums = sums, .columns = columns};
	uint64_t first;

	*sums = (struct call_sums){.columns = count};
	sample_stacks_init(&sums->stacks, archive, false);
	first = gathering_read(&gathered_call_sums, archive, &chosen, &whole);
	number_nodes(sums);
	chosen.first = first;
	if (first != UINT64_MAX)
		add_outside(sums, &whole, &chosen, first);
	order_nodes(sums);
	for (size_t i = 0; i < archive->location_count; i++)
		choice->takes_thread(choice->context, archive, i);
	gathering_choice_free(&chosen);
}

void call_sums_free(struct call_sums *sums)
{
	free_rows(sums);
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
