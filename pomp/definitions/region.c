/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registration. A region is made once for each descriptor and keeps copies of its strings, so that
 * an object can be unloaded. When the object is loaded again, its descriptors continue their old
 * regions.
 */
#include "region.h"

#include "pomp-atomics.h"

#include "experiment.h"
#include "lasting-memory.h"
#include "lock.h"
#include "metrics.h"
#include "process-state.h"
#include "region-filter.h"
#include "region-scale.h"
#include "shared/debug-log.h"
#include "shared/precondition.h"
#include "source-path.h"

#include <stdlib.h>
#include <string.h>

struct pomp_regions pomp_regions;

static const char *text_of(const char *text)
{
	return text != NULL ? text : "";
}

static bool describes(const struct pomp_region *region, const OMPRegDescr *descriptor)
{
	return region->begin_first == descriptor->begin_line1 &&
	       region->begin_last == descriptor->begin_lineN &&
	       region->end_first == descriptor->end_line1 &&
	       region->end_last == descriptor->end_lineN &&
	       strcmp(region->name, text_of(descriptor->name)) == 0 &&
	       strcmp(region->sub_name, text_of(descriptor->sub_name)) == 0 &&
	       strcmp(region->file, text_of(descriptor->file_name)) == 0;
}

/* Returns the region that the same construct had before its object was unloaded. */
static struct pomp_region *find_detached(
    const struct pomp_regions *regions, const OMPRegDescr *descriptor)
{
	if (regions->detached == 0)
		return NULL;
	for (size_t i = 0; i < regions->count; i++)
		if (regions->entry[i]->descriptor == NULL &&
		    describes(regions->entry[i], descriptor))
			return regions->entry[i];
	return NULL;
}

/* Allocates memory for the metrics' values; if that fails, the region has no metrics. */
static void add_counters(struct pomp_region *region)
{
	const struct pomp_metrics *metrics = &pomp_metrics;

	if (metrics->count == 0 ||
	    !(metrics->everywhere || region->kind == CONSTRUCT_KIND_PARALLEL))
		return;
	region->counters = calloc(1, sizeof(*region->counters) + metrics->count * sizeof(uint64_t));
	region->counted = calloc(metrics->count, sizeof(*region->counted));
	if (region->counters == NULL || region->counted == NULL) {
		free(region->counters);
		free(region->counted);
		region->counters = NULL;
		region->counted = NULL;
		pomp_out_of_memory("a region's metrics");
		return;
	}
	region->counters->count = metrics->count;
	region->counters->name = metrics->name;
}

/* Returns the path of the region's file, which is mostly the same as the previous region's. */
static char *path_of(const struct pomp_region *region, const char *folder)
{
	const struct pomp_regions *regions = &pomp_regions;
	const struct pomp_region *before =
	    regions->count > 0 ? regions->entry[regions->count - 1] : NULL;

	if (!pomp_process.settings.tracing)
		return NULL;
	if (before != NULL && folder == NULL && strcmp(before->file, region->file) == 0)
		return before->path;
	return pomp_source_path(region->file, folder);
}

static void filter(struct pomp_region *region)
{
	uint64_t excluded = pomp_filter_evaluate(&pomp_filter, region, pomp_filter.tick);

	if (excluded == POMP_FILTER_ALL)
		store_relaxed(&region->was_left_out, 1);
	else if (excluded != 0)
		store_relaxed(&region->shortest, excluded);
	store_relaxed(&region->filter, excluded);
	pomp_regions.left_out += excluded == POMP_FILTER_ALL;
}

/* Makes a region, with its strings in one block after it. */
static struct pomp_region *region_new(
    const OMPRegDescr *descriptor, const char *folder, const void *lock)
{
	const char *name = text_of(descriptor->name);
	const char *sub_name = text_of(descriptor->sub_name);
	const char *file = text_of(descriptor->file_name);
	size_t name_size = strlen(name) + 1;
	size_t sub_size = strlen(sub_name) + 1;
	size_t file_size = strlen(file) + 1;
	struct pomp_region *region =
	    pomp_lasting_memory(sizeof(*region) + name_size + sub_size + file_size);

	if (region == NULL)
		return NULL;
	region->name = memcpy((char *)(region + 1), name, name_size);
	region->sub_name = memcpy(region->name + name_size, sub_name, sub_size);
	region->file = memcpy(region->sub_name + sub_size, file, file_size);
	region->path = path_of(region, folder);
	region->construct = construct_find(name, strlen(name));
	region->kind = construct_kind(region->construct);
	region->section_count = descriptor->num_sections;
	region->begin_first = descriptor->begin_line1;
	region->begin_last = descriptor->begin_lineN;
	region->end_first = descriptor->end_line1;
	region->end_last = descriptor->end_lineN;
	if (region->kind == CONSTRUCT_KIND_CRITICAL)
		region->lock = lock != NULL ? pomp_lock_of_unnamed(lock)
					    : pomp_lock_of_critical(region->sub_name, region->file,
						  region->begin_first);
	add_counters(region);
	filter(region);
	return region;
}

void pomp_regions_filter(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	pomp_regions.left_out = 0;
	pomp_regions.filters++;
	for (size_t i = 0; i < pomp_regions.count; i++)
		filter(pomp_regions.entry[i]);
}

static void define_code(uint64_t id, const struct pomp_code *code)
{
	struct trace_log_code head = {
	    .id = id,
	    .offset = code->place.offset,
	    .caller = code->place.caller,
	    .lock_offset = code->lock_offset,
	    .at = code->place.at,
	    .named = code->named,
	    .is_gnu = code->place.is_gnu,
	};
	const char *const texts[] = {
	    code->place.module, code->place.build_id, text_of(code->function)};

	pomp_experiment_append(TRACE_LOG_CODE, &head, sizeof(head), texts, 3);
}

void pomp_region_define(const struct pomp_region *region)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	if (load_relaxed(&pomp_experiment.path) == NULL)
		return;
	struct trace_log_region head = {
	    .id = region->id,
	    .begin_first = region->begin_first,
	    .begin_last = region->begin_last,
	    .end_first = region->end_first,
	    .end_last = region->end_last,
	    .section_count = region->section_count,
	    .lock = region->lock != NULL ? region->lock->number : 0,
	};
	const char *file = region->path != NULL ? region->path : region->file;
	const char *const texts[] = {region->name, region->sub_name, file};
	pomp_experiment_append(TRACE_LOG_REGION, &head, sizeof(head), texts, 3);
	if (region->code != NULL)
		define_code(region->id, region->code);
}

void pomp_regions_define(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	for (size_t i = 0; i < pomp_regions.count; i++)
		pomp_region_define(pomp_regions.entry[i]);
}

/* Makes room for one more. */
static bool make_room(struct pomp_regions *regions)
{
	if (regions->count < regions->capacity)
		return true;
	size_t capacity = regions->capacity > 0 ? 2 * regions->capacity : 64;
	struct pomp_region **entry = pomp_lasting_memory(capacity * sizeof(*entry));

	if (entry == NULL)
		return false;
	if (regions->count > 0)
		memcpy(entry, regions->entry, regions->count * sizeof(*entry));
	regions->entry = entry;
	regions->capacity = capacity;
	return true;
}

/*
 * Makes the descriptor's region; NULL when memory or numbers ran out. The region takes ownership of
 * `code`; NULL: it has none. `lock`: see pomp_region_register_code().
 */
static struct pomp_region *add_region(
    const OMPRegDescr *descriptor, const char *folder, struct pomp_code *code, const void *lock)
{
	struct pomp_regions *regions = &pomp_regions;

	if (regions->count >= TRACE_LOG_ARGUMENT_MAX || !make_room(regions))
		return NULL;
	struct pomp_region *region = region_new(descriptor, folder, lock);
	if (region == NULL)
		return NULL;
	regions->entry[regions->count++] = region;
	region->id = regions->count;
	region->code = code;
	region->scale = pomp_scale_evaluate(&pomp_scale, region);
	if (region->construct == CONSTRUCT_OTHER && regions->unknown++ == 0)
		regions->first_unknown = region;
	DEBUG_LOG(region, "%llu: %s '%s' at %s:%d%s", (unsigned long long)region->id, region->name,
	    region->sub_name, region->file, region->begin_first,
	    load_relaxed(&region->filter) == POMP_FILTER_ALL ? ", left out by the filter" : "");
	pomp_region_define(region);
	return region;
}

struct pomp_region *pomp_region_register(OMPRegDescr *descriptor, const char *folder)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_regions *regions = &pomp_regions;

	if (descriptor->data[0] != 0)
		return pomp_region_find(descriptor->data[0]);
	struct pomp_region *region = find_detached(regions, descriptor);
	if (region != NULL) {
		regions->detached--;
	} else {
		region = add_region(descriptor, folder, NULL, NULL);
		if (region == NULL) {
			pomp_out_of_memory("a region");
			return NULL;
		}
	}
	region->descriptor = descriptor;
	store_word_relaxed(&descriptor->data[0], region->id);
	return region;
}

/* Makes the code record, with its texts in one block after it. */
static struct pomp_code *code_new(const struct code_place *place, uint64_t lock_offset)
{
	size_t module_size = strlen(place->module) + 1;
	size_t build_id_size = strlen(place->build_id) + 1;
	struct pomp_code *code = pomp_lasting_memory(sizeof(*code) + module_size + build_id_size);

	if (code == NULL)
		return NULL;
	char *module = memcpy((char *)(code + 1), place->module, module_size);
	code->place = *place;
	code->place.module = module;
	code->place.build_id = memcpy(module + module_size, place->build_id, build_id_size);
	code->lock_offset = lock_offset;
	return code;
}

struct pomp_region *pomp_region_register_code(
    OMPRegDescr *descriptor, const struct code_place *place, uint64_t lock_offset, const void *lock)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_code *code = code_new(place, lock_offset);
	struct pomp_region *region = code != NULL ? add_region(descriptor, NULL, code, lock) : NULL;

	if (region == NULL) {
		pomp_out_of_memory("a region");
		return NULL;
	}
	region->descriptor = descriptor;
	store_word_relaxed(&descriptor->data[0], region->id);
	pomp_regions.by_code++;
	return region;
}

struct pomp_region *pomp_region_find(uint64_t id)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	const struct pomp_regions *regions = &pomp_regions;

	return id != 0 && id <= regions->count ? regions->entry[id - 1] : NULL;
}

void pomp_region_reset(struct pomp_region *region)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	region->total = (struct pomp_region_total){0};
	if (region->counters == NULL)
		return;
	memset(region->counted, 0, region->counters->count * sizeof(*region->counted));
	region->counters->count = pomp_metrics.count;
}

uint64_t pomp_region_id_slow(OMPRegDescr *descriptor)
{
	pomp_lock_process();
	const struct pomp_region *region = pomp_region_register(descriptor, NULL);
	pomp_unlock_process();
	return region != NULL ? region->id : 0;
}

void pomp_region_detach(OMPRegDescr *descriptor)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_region *region = pomp_region_find(descriptor->data[0]);

	if (region == NULL || region->descriptor != descriptor)
		return;
	region->descriptor = NULL;
	descriptor->data[0] = 0;
	pomp_regions.detached++;
}
