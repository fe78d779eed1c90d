/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the samples at the end of each interval and compares them with those at its begin, path by
 * path: a thread's tree that is not found once keeps its numbers until it is found again.
 */
#include "sampled-lines.h"

#include "common/hot-rows.h"
#include "shared/array.h"

#include <stdlib.h>
#include <time.h>

enum {
	MOST_PLACES = 1 << 14, /* whose names are kept */
	MOST_ROWS = 100,       /* addresses that get names in an interval */
	NAMING_NS = 100000000,
};

/* More samples at an address. */
struct growth {
	uint64_t address, samples, waits;
};

struct growths {
	struct growth *items;
	size_t count, room;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void forget_rows(struct sampled_lines *lines)
{
	hot_rows_free(&lines->summary);
	lines->summary = (struct summary){.samples = 0};
}

static void forget_places(struct sampled_lines *lines)
{
	for (size_t i = 0; i < lines->place_count; i++)
		code_name_free(&lines->places[i].name);
	lines->place_count = 0;
	map_free(&lines->place_of);
	lines->place_of = (struct map){0};
}

static int compare(const struct live_sample *one, const struct live_sample *other)
{
	if (one->tree != other->tree)
		return one->tree < other->tree ? -1 : 1;
	return (one->node > other->node) - (one->node < other->node);
}

static bool add_growth(struct growths *growths, const struct live_sample *sample, uint32_t before)
{
	uint64_t more = sample->count > before ? sample->count - before : 0;

	return more == 0 || ARRAY_PUSH(growths->items, growths->count, growths->room,
				((struct growth){sample->address, more, sample->waits ? more : 0}));
}

/*
 * Both are in order: `last` becomes all of both, each with its greater number, and growths get the
 * differences. False: no memory.
 */
static bool merge(
    struct sampled_lines *lines, const struct live_samples *now, struct growths *growths)
{
	struct live_samples all = {.rate = now->rate, .is_part = now->is_part};
	const struct live_samples *last = &lines->last;
	size_t room = 0, i = 0, j = 0;
	bool has_room = ARRAY_ROOM(all.items, 0, room, last->count + now->count + 1);

	while (has_room && (i < last->count || j < now->count)) {
		int order = i == last->count  ? 1
			    : j == now->count ? -1
					      : compare(&last->items[i], &now->items[j]);
		struct live_sample sample = order < 0 ? last->items[i] : now->items[j];
		uint32_t before = order > 0 ? 0 : last->items[i].count;
		has_room = add_growth(growths, &sample, before);
		if (sample.count < before)
			sample.count = before;
		all.items[all.count++] = sample;
		i += order <= 0;
		j += order >= 0;
	}
	free(lines->last.items);
	lines->last = all;
	return has_room;
}

static int by_address(const void *left, const void *right)
{
	const struct growth *one = left, *other = right;

	return (one->address > other->address) - (one->address < other->address);
}

static int most_first(const void *left, const void *right)
{
	const struct growth *one = left, *other = right;

	if (one->samples != other->samples)
		return one->samples < other->samples ? 1 : -1;
	return by_address(left, right);
}

/* Each address once, most samples first. */
static void add_up(struct growths *growths)
{
	size_t kept = 0;

	if (growths->count < 2)
		return;
	qsort(growths->items, growths->count, sizeof *growths->items, by_address);
	for (size_t i = 0; i < growths->count; i++) {
		const struct growth *growth = &growths->items[i];
		if (kept > 0 && growths->items[kept - 1].address == growth->address) {
			growths->items[kept - 1].samples += growth->samples;
			growths->items[kept - 1].waits += growth->waits;
		} else {
			growths->items[kept++] = *growth;
		}
	}
	growths->count = kept;
	qsort(growths->items, growths->count, sizeof *growths->items, most_first);
}

/* What names are made with. */
struct naming {
	struct sampled_lines *lines;
	struct code_lookup *lookup;
	struct loaded_modules *modules;
	struct target_memory *memory;
	uint64_t until;
	bool has_new_modules;
};

/* A library may have been loaded since. */
static void find_module(struct naming *naming, uint64_t address)
{
	struct loaded_modules modules;

	if (naming->has_new_modules || modules_find(naming->modules, address) != NULL)
		return;
	naming->has_new_modules = true;
	if (modules_read(naming->memory->process, &modules) != 0)
		return;
	modules_finish(naming->modules);
	*naming->modules = modules;
}

/* NULL: not in this interval. */
static const struct code_name *name_of(struct naming *naming, uint64_t address)
{
	struct sampled_lines *lines = naming->lines;
	uint64_t at = map_find(&lines->place_of, address);

	if (at != MAP_NONE)
		return &lines->places[at].name;
	if (now_ns() >= naming->until || lines->place_count == MOST_PLACES)
		return NULL;
	find_module(naming, address);
	struct named_place place = {
	    address, code_lookup_line(naming->lookup, naming->modules, naming->memory, address)};
	if (!ARRAY_PUSH(lines->places, lines->place_count, lines->place_room, place)) {
		code_name_free(&place.name);
		return NULL;
	}
	map_add(&lines->place_of, address, lines->place_count - 1);
	return &lines->places[lines->place_count - 1].name;
}

static bool add_line(
    struct naming *naming, struct hot_rows *rows, const struct growth *growth, bool is_named)
{
	const struct code_name *name = is_named ? name_of(naming, growth->address) : NULL;
	const struct summary_hot row = {
	    .function = name != NULL ? name->function : NULL,
	    .file = name != NULL ? name->file : NULL,
	    .line = name != NULL ? name->begin : 0,
	    .samples = growth->samples,
	    .waits = growth->waits,
	};

	naming->lines->summary.samples += growth->samples;
	return hot_rows_add(&naming->lines->summary, rows, &row);
}

static void make_lines(struct naming *naming, struct growths *growths)
{
	struct hot_rows rows = {0};
	bool has_room = true;

	if (naming->lines->place_count == MOST_PLACES)
		forget_places(naming->lines);
	add_up(growths);
	naming->until = now_ns() + NAMING_NS;
	for (size_t i = 0; i < growths->count && has_room; i++)
		has_room = add_line(naming, &rows, &growths->items[i], i < MOST_ROWS);
	hot_rows_finish(&naming->lines->summary);
}

void sampled_lines_end(struct sampled_lines *lines, const struct measured_interval *measured,
    struct code_lookup *lookup, struct loaded_modules *modules, struct target_memory *memory)
{
	struct naming naming = {lines, lookup, modules, memory, 0, false};
	struct growths growths = {NULL, 0, 0};
	struct live_samples now;

	forget_rows(lines);
	if (measured->table == 0 ||
	    measured_read_samples(measured->library, memory, measured->table, &now) != LIVE_READ) {
		lines->is_begun = false;
		return;
	}
	bool is_merged = merge(lines, &now, &growths);
	measured->library->functions->release_samples(&now);
	if (is_merged && lines->is_begun)
		make_lines(&naming, &growths);
	lines->is_begun = is_merged;
	free(growths.items);
}

void sampled_lines_close(struct sampled_lines *lines)
{
	forget_rows(lines);
	forget_places(lines);
	free(lines->places);
	free(lines->last.items);
	*lines = (struct sampled_lines){.is_begun = false};
}
