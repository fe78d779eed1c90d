/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows are found by comparing with all: reports have hundreds of them. */
#include "common/hot-rows.h"
#include "common/summary-figures.h"

#include "shared/array.h"

#include <stdlib.h>
#include <string.h>

bool hot_rows_add(struct summary *summary, struct hot_rows *rows, const struct summary_hot *row)
{
	struct summary_hot *all = (struct summary_hot *)summary->hot;

	for (size_t i = 0; i < summary->hot_count; i++) {
		if (all[i].line != row->line ||
		    !summary_same_text(all[i].function, row->function) ||
		    !summary_same_text(all[i].file, row->file))
			continue;
		all[i].samples += row->samples;
		all[i].waits += row->waits;
		all[i].faults += row->faults;
		for (int counter = 0; counter < SAMPLE_COUNTER_COUNT; counter++)
			all[i].counted[counter] += row->counted[counter];
		return true;
	}
	bool fits = ARRAY_PUSH(all, summary->hot_count, rows->hot_room, *row);
	summary->hot = all;
	return fits;
}

bool hot_path_is_start(const char *function)
{
	static const char *const names[] = {"_start", "__libc_start_call_main", "__libc_start_main",
	    "__libc_start_main_impl", "start_thread", "clone", "__clone", "clone3", "__clone3"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(function, names[i]) == 0)
			return true;
	return false;
}

bool hot_path_is_runtime(const char *function)
{
	static const char *const beginnings[] = {"GOMP_", "gomp_", "__kmp", "pomp_", "__pomp_"};

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (strncmp(function, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

static void add_part(struct hot_path *path, const char *part)
{
	const char *between = path->length > 0 ? " > " : "";
	size_t between_length = strlen(between), length = strlen(part);

	if (!ARRAY_ROOM(path->text, path->length, path->room, between_length + length + 1)) {
		path->failed = true;
		return;
	}
	memcpy(path->text + path->length, between, between_length);
	memcpy(path->text + path->length + between_length, part, length + 1);
	path->length += between_length + length;
}

void hot_path_add(struct hot_path *path, const char *function)
{
	if (path->failed || summary_same_text(path->last, function) || hot_path_is_start(function))
		return;
	add_part(path, function);
	path->last = function;
}

void hot_path_add_construct(struct hot_path *path, const char *construct)
{
	if (!path->failed)
		add_part(path, construct);
}

/* Adds samples to the row of that text, which the rows own from now on. */
static bool add_path(
    const struct summary_path **rows, size_t *count, size_t *room, struct summary_path row)
{
	struct summary_path *all = (struct summary_path *)*rows;

	for (size_t i = 0; i < *count; i++) {
		if (strcmp(all[i].path, row.path) != 0)
			continue;
		all[i].samples += row.samples;
		all[i].faults += row.faults;
		free((char *)row.path);
		return true;
	}
	bool fits = ARRAY_PUSH(all, *count, *room, row);
	*rows = all;
	if (!fits)
		free((char *)row.path);
	return fits;
}

bool hot_rows_add_path(struct summary *summary, struct hot_rows *rows, struct hot_path *path,
    bool is_serial, uint64_t samples, uint64_t faults)
{
	struct summary_path row = {path->text, samples, faults};

	if (path->failed) {
		free(path->text);
		return false;
	}
	if (!path->text)
		return true;
	if (is_serial)
		return add_path(
		    &summary->serial_paths, &summary->serial_path_count, &rows->serial_room, row);
	return add_path(&summary->team_paths, &summary->team_path_count, &rows->team_room, row);
}

uint64_t hot_fault_samples(const struct summary *summary)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < summary->hot_count; i++)
		sum += summary->hot[i].faults;
	return sum;
}

static bool has_both(uint64_t counters)
{
	return sample_counter_is_in(counters, SAMPLE_INSTRUCTIONS) &&
	       sample_counter_is_in(counters, SAMPLE_CYCLES);
}

/* Returns the set of the counter whose key that is; 0: of none. */
static uint64_t counter_of(const char *key)
{
	static const char *const keys[] = {
#define COUNTER_KEY(id, name, key) key,
	    SAMPLE_COUNTERS(COUNTER_KEY)
#undef COUNTER_KEY
	};

	for (int counter = 0; counter < SAMPLE_COUNTER_COUNT; counter++)
		if (summary_same_text(key, keys[counter]))
			return UINT64_C(1) << counter;
	return 0;
}

struct hot_columns hot_choose_columns(
    const struct table_column *columns, size_t count, uint64_t counters, bool faults_matter)
{
	const uint64_t both = 1 << SAMPLE_INSTRUCTIONS | 1 << SAMPLE_CYCLES;
	struct hot_columns chosen = {0, 0};

	for (size_t i = 0; i < count; i++) {
		uint64_t bit = UINT64_C(1) << i, counter = counter_of(columns[i].key);
		if (counter != 0 && !(counter & counters))
			chosen.unmeasured |= bit;
		if (counter & both && has_both(counters))
			chosen.left_out |= bit;
		if (summary_same_text(columns[i].key, HOT_PER_CYCLE_KEY) && !has_both(counters))
			chosen.unmeasured |= bit;
		if (summary_same_text(columns[i].title, HOT_FAULTS_TITLE) && !faults_matter)
			chosen.left_out |= bit;
	}
	return chosen;
}

double hot_per_cycle(const uint64_t *counted)
{
	return counted[SAMPLE_CYCLES] > 0
		   ? (double)counted[SAMPLE_INSTRUCTIONS] / (double)counted[SAMPLE_CYCLES]
		   : -1;
}

static int compare_hot(const void *left, const void *right)
{
	const struct summary_hot *one = left, *other = right;

	if (one->samples != other->samples)
		return one->samples < other->samples ? 1 : -1;
	return summary_compare_places(one->file, one->line, other->file, other->line);
}

static int compare_paths(const void *left, const void *right)
{
	const struct summary_path *one = left, *other = right;

	if (one->samples != other->samples)
		return one->samples < other->samples ? 1 : -1;
	return strcmp(one->path, other->path);
}

static void sort_paths(const struct summary_path *paths, size_t count)
{
	if (count > 0)
		qsort((void *)paths, count, sizeof(*paths), compare_paths);
}

void hot_rows_finish(struct summary *summary)
{
	if (summary->hot_count > 0)
		qsort((void *)summary->hot, summary->hot_count, sizeof(*summary->hot), compare_hot);
	sort_paths(summary->team_paths, summary->team_path_count);
	sort_paths(summary->serial_paths, summary->serial_path_count);
}

static void free_paths(const struct summary_path *paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free((char *)paths[i].path);
	free((void *)paths);
}

void hot_rows_free(struct summary *summary)
{
	free_paths(summary->team_paths, summary->team_path_count);
	free_paths(summary->serial_paths, summary->serial_path_count);
	free((void *)summary->hot);
	summary->hot = NULL;
	summary->team_paths = summary->serial_paths = NULL;
	summary->hot_count = summary->team_path_count = summary->serial_path_count = 0;
}
