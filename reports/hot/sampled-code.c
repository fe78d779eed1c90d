/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gives each context of the archive its row, and adds the samples up. In archives of other tools
 * constructs are parts of the call path, too; lines and functions belong to the function around.
 */
#include "sampled-code.h"

#include <stdlib.h>
#include <string.h>

#include "common/hot-rows.h"
#include "common/summary-figures.h"
#include "memory.h"
#include "shared/text-hash.h"

/* Samples of one row at one place. */
struct tally {
	uint32_t row, place;
	uint64_t samples, inclusive;
};

struct collection {
	const struct analysis *analysis;
	enum hot_kind kind;
	struct hot_code *hot;
	struct map rows;   /* by hash */
	uint32_t *row_of;  /* by context: its row + 1; 0: not known yet */
	uint64_t *counted; /* by row: the samples that counted it last */
	size_t counted_room;
	struct pair_map tally_of; /* (row, place) to index */
	struct tally *tallies;
	size_t tally_count, tally_room;
	uint64_t unnamed_most;
};

static const struct archive_region *region_of(
    const struct archive *archive, const struct archive_context *context)
{
	return context->region == ARCHIVE_NO_INDEX ? NULL : &archive->regions[context->region];
}

static const char *function_of(const struct archive *archive, const struct archive_context *context)
{
	const struct archive_region *region = region_of(archive, context);

	return region ? region->name : "";
}

/* Other tools' constructs, and those that stand for the functions that are made of them. */
static bool is_construct(const struct archive *archive, uint32_t index)
{
	const struct archive_region *region = region_of(archive, &archive->contexts[index]);

	return region && (region->paradigm == OTF2_PARADIGM_OPENMP ||
			     (region->paradigm == OTF2_PARADIGM_SAMPLING &&
				 region->role == OTF2_REGION_ROLE_CODE));
}

/* The context of the function around a construct; the context itself if there is none. */
static uint32_t function_context(const struct archive *archive, uint32_t index)
{
	uint32_t around = index;

	while (around != ARCHIVE_NO_INDEX && is_construct(archive, around))
		around = archive->contexts[around].parent;
	return around == ARCHIVE_NO_INDEX ? index : around;
}

/* Returns the context and its callers as one text, which the caller frees. */
static char *path_of(const struct archive *archive, uint32_t index)
{
	struct hot_path path = {0};

	analysis_add_path(archive, index, &path);
	/* What is before main() is no part of a path, unless there is nothing else. */
	return path.text ? path.text
			 : memory_copy_text(function_of(archive, &archive->contexts[index]));
}

/* What the row of a context is, without samples. */
static struct hot_row row_of_context(const struct collection *collection, uint32_t index)
{
	const struct archive *archive = collection->analysis->archive;
	const struct archive_context *context = &archive->contexts[index];
	uint32_t around = function_context(archive, index);
	const struct archive_region *region = region_of(archive, &archive->contexts[around]);
	struct hot_row row = {.function = region ? region->name : "", .file = context->file};

	if (collection->kind == HOT_LINES && context->line <= INT32_MAX)
		row.line = (int)context->line;
	if (collection->kind == HOT_FUNCTIONS && row.function[0] && region->file[0])
		row.file = region->file;
	if (collection->kind == HOT_PATHS)
		row.path = path_of(archive, index);
	return row;
}

static bool is_same(const struct hot_row *one, const struct hot_row *other)
{
	if (one->path)
		return strcmp(one->path, other->path) == 0;
	return one->line == other->line && strcmp(one->function, other->function) == 0 &&
	       strcmp(one->file, other->file) == 0;
}

static uint64_t hash_of(const struct hot_row *row)
{
	if (row->path)
		return text_hash(TEXT_HASH_START, row->path);
	return text_hash(
	    text_hash(TEXT_HASH_START ^ (uint64_t)row->line << 32, row->function), row->file);
}

static uint32_t add_row(struct collection *collection, struct hot_row row)
{
	struct hot_code *hot = collection->hot;
	uint64_t hash = hash_of(&row);

	for (size_t at = map_first(&collection->rows, hash); at != MAP_END;
	     at = map_next(&collection->rows, hash, at)) {
		if (!is_same(&row, &hot->rows[map_value(&collection->rows, at)]))
			continue;
		free(row.path);
		return (uint32_t)map_value(&collection->rows, at);
	}
	memory_map_add(&collection->rows, hash, hot->count);
	*MEMORY_ADD(hot->rows, hot->room, hot->count) = row;
	MEMORY_GROW(collection->counted, collection->counted_room, hot->count);
	return (uint32_t)(hot->count - 1);
}

static uint32_t find_row(struct collection *collection, uint32_t context)
{
	if (collection->row_of[context] == 0)
		collection->row_of[context] =
		    add_row(collection, row_of_context(collection, context)) + 1;
	return collection->row_of[context] - 1;
}

static struct tally *find_tally(struct collection *collection, uint32_t row, uint32_t place)
{
	uint64_t index = *memory_pair_map_place(
	    &collection->tally_of, (struct map_key){row, place}, collection->tally_count);

	if (index == collection->tally_count)
		*MEMORY_ADD(collection->tallies, collection->tally_room, collection->tally_count) =
		    (struct tally){.row = row, .place = place};
	return &collection->tallies[index];
}

/* A function that calls itself counts once for each sample. `number` is that of the samples. */
static void add_callers(struct collection *collection, const struct code_samples *samples,
    uint64_t number, uint32_t place)
{
	const struct archive *archive = collection->analysis->archive;
	uint32_t context = samples->context;

	for (int level = 0; level < ANALYSIS_CALLS_MOST && context != ARCHIVE_NO_INDEX; level++) {
		context = function_context(archive, context);
		if (level > 0 && is_construct(archive, context))
			break; /* a worker's path may begin with one */
		uint32_t row = find_row(collection, context);

		if (collection->counted[row] != number) {
			collection->counted[row] = number;
			collection->hot->rows[row].inclusive += samples->count;
			find_tally(collection, row, place)->inclusive += samples->count;
		}
		context = archive->contexts[context].parent;
	}
}

static void note_unnamed(struct collection *collection, const struct code_samples *samples)
{
	const struct archive *archive = collection->analysis->archive;
	const struct archive_context *context = &archive->contexts[samples->context];

	if (collection->kind == HOT_LINES ? context->line > 0
					  : function_of(archive, context)[0] != '\0')
		return;
	collection->hot->unnamed += samples->count;
	if (samples->count > collection->unnamed_most) {
		collection->unnamed_most = samples->count;
		collection->hot->unnamed_context = samples->context;
	}
}

static void add_samples(
    struct collection *collection, const struct code_samples *samples, uint64_t number)
{
	uint32_t row = find_row(collection, samples->context);
	uint32_t place = analysis_place_of(collection->analysis, samples);
	struct hot_row *counts = &collection->hot->rows[row];

	/* Rows of counters alone have no sample that chooses one. */
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): find_row() made the row */
	if (counts->samples == 0)
		counts->place = place;
	counts->samples += samples->count;
	counts->waits += samples->waits ? samples->count : 0;
	counts->faults += samples->faults ? samples->count : 0;
	analysis_add_counts(collection->analysis->archive, samples->counted, counts->counted);
	collection->hot->samples += samples->count;
	collection->hot->waits += samples->waits ? samples->count : 0;
	collection->hot->faults += samples->faults ? samples->count : 0;
	find_tally(collection, row, place)->samples += samples->count;
	note_unnamed(collection, samples);
	if (collection->kind == HOT_FUNCTIONS)
		add_callers(collection, samples, number, place);
}

/* Of equal places the first in the order of the constructs. */
static void choose_places(struct collection *collection)
{
	for (size_t i = 0; i < collection->tally_count; i++) {
		const struct tally *tally = &collection->tallies[i];
		struct hot_row *row = &collection->hot->rows[tally->row];
		uint64_t samples = row->samples > 0 ? tally->samples : tally->inclusive;

		if (samples > row->place_samples ||
		    (samples == row->place_samples && tally->place < row->place)) {
			row->place = tally->place;
			row->place_samples = samples;
		}
	}
}

static int compare_rows(const void *left, const void *right)
{
	const struct hot_row *one = left, *other = right;
	int order;

	if (one->samples != other->samples)
		return one->samples < other->samples ? 1 : -1;
	if (one->inclusive != other->inclusive)
		return one->inclusive < other->inclusive ? 1 : -1;
	if (one->path)
		return strcmp(one->path, other->path);
	order = strcmp(one->file, other->file);
	if (order == 0 && one->line != other->line)
		return one->line < other->line ? -1 : 1;
	return order ? order : strcmp(one->function, other->function);
}

struct hot_code hot_code_collect(const struct analysis *analysis, enum hot_kind kind,
    analysis_filter *takes, const void *context)
{
	struct hot_code hot = {.count = 0};
	struct collection collection = {.analysis = analysis,
	    .kind = kind,
	    .hot = &hot,
	    .row_of = memory_new(analysis->archive->context_count, sizeof(uint32_t))};
	bool *taken = analysis_taken_places(analysis, takes, context);

	for (size_t i = 0; i < analysis->sample_count; i++) {
		hot.chosen += analysis->samples[i].count;
		if (taken[analysis_place_of(analysis, &analysis->samples[i])])
			add_samples(&collection, &analysis->samples[i], i + 1);
	}
	choose_places(&collection);
	if (hot.count > 1)
		qsort(hot.rows, hot.count, sizeof(hot.rows[0]), compare_rows);
	free(taken);
	free(collection.row_of);
	free(collection.counted);
	free(collection.tallies);
	map_free(&collection.rows);
	pair_map_free(&collection.tally_of);
	return hot;
}

void hot_code_finish(struct hot_code *hot)
{
	for (size_t i = 0; i < hot->count; i++)
		free(hot->rows[i].path);
	free(hot->rows);
	*hot = (struct hot_code){.count = 0};
}

char *hot_row_name(const struct hot_row *row, enum hot_kind kind)
{
	const char *file = summary_base_name(row->file);
	const char *function = row->function[0] ? row->function : "?";

	if (kind == HOT_PATHS)
		return memory_copy_text(row->path);
	if (row->line > 0)
		return memory_print("%s:%d %s", file, row->line, function);
	if (!row->file[0])
		return memory_copy_text(function);
	if (!row->function[0])
		return memory_copy_text(file);
	return kind == HOT_LINES ? memory_print("%s %s", file, function)
				 : memory_print("%s (%s)", function, file);
}

double hot_sample_time(const struct analysis *analysis)
{
	const struct archive *archive = analysis->archive;
	uint64_t all = archive_property_number(archive, "POMP::PROCESSOR_TIME_NS");

	if (all != SUMMARY_NOT_MEASURED && analysis->kinds[EVENT_SAMPLE] > 0)
		return (double)all / (double)analysis->kinds[EVENT_SAMPLE];
	return (double)archive->sample_period;
}
