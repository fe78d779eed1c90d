/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names are looked up when the program has done its work, and no failure there may affect it. Names
 * that were found before are kept; other regions have their module and offset, which `ompreport
 * symbols` can turn into names later.
 */
#include "name-regions.h"

#include "guard.h"
#include "lock.h"
#include "names-library.h"
#include "process-state.h"
#include "region.h"
#include "totals.h"

#include "shared/debug-log.h"
#include "shared/precondition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Gigabytes of debug information must not keep the program from ending. */
#define SECONDS_MOST 10

/* The state of a search for names. */
struct search {
	const struct code_names_table *table;
	struct code_namer *namer;
	struct pomp_region *region;
	struct code_name name;
};

static char empty[] = "";

/* Moves the text out; NULL becomes "". */
static char *text_or_empty(char **text)
{
	char *taken = *text != NULL ? *text : empty;

	*text = NULL;
	return taken;
}

static void name_lock(struct pomp_region *region)
{
	struct pomp_lock *lock = region->lock;

	if (lock == NULL || lock->line != 0)
		return;
	lock->name = region->sub_name;
	lock->file = region->file;
	lock->line = region->begin_first;
}

/* Stores what was found in the region. */
static void take_name(struct pomp_region *region, struct code_name *name)
{
	struct pomp_code *code = region->code;

	code->named = true;
	code->function = name->function;
	name->function = NULL;
	region->sub_name = text_or_empty(&name->sub_name);
	if (name->file != NULL && name->begin > 0) {
		region->file = text_or_empty(&name->file);
		region->begin_first = region->begin_last = name->begin;
		region->end_first = region->end_last = name->end;
	} else {
		char *place = code_place_short(&code->place);
		region->file = text_or_empty(&place);
	}
	region->path = NULL;
	name_lock(region);
}

static void begin(void *context)
{
	struct search *search = context;
	const struct code_names_settings settings = {.seconds = SECONDS_MOST};

	search->namer = search->table->begin(&settings);
}

static void find(void *context)
{
	struct search *search = context;
	const struct pomp_region *region = search->region;
	const struct code_question question = {
	    .construct = region->name,
	    .place = region->code->place,
	    .lock_offset = region->code->lock_offset,
	};

	search->table->find(search->namer, &question, &search->name);
}

static void end(void *context)
{
	struct search *search = context;

	search->table->end(search->namer);
}

/* Looks up the name of one region; after a failure, no more names are looked up. */
static void name_region(struct search *search, struct pomp_region *region)
{
	struct code_name nothing = {0};

	search->region = region;
	search->name = nothing;
	if (search->namer != NULL && !pomp_guarded(find, search)) {
		fprintf(stderr,
		    "pomp: '%s': damaged, or it changed while it was read; further regions have "
		    "no names\n",
		    region->code->place.module);
		search->namer = NULL; /* it is in an unknown state, so it is not even freed */
		search->name = nothing;
	}
	take_name(region, &search->name);
	code_name_free(&search->name);
	DEBUG_LOG(region, "%llu: %s at %s+0x%llx is at %s:%d in %s", (unsigned long long)region->id,
	    region->name, region->code->place.module,
	    (unsigned long long)region->code->place.offset, region->file, region->begin_first,
	    region->code->function != NULL ? region->code->function : "(unknown)");
}

/*
 * Returns whether a report or a trace will show it: forked children inherit regions that they never
 * enter.
 */
static bool is_used(const struct pomp_region *region)
{
	struct pomp_region_total total = pomp_region_total(region);

	return !pomp_process.settings.profiling || total.visits + total.created > 0;
}

static bool needs_name(const struct pomp_region *region)
{
	return region->code != NULL && !region->code->named && is_used(region);
}

/* Looks up names, beginning with the first region that needs one. */
static void name_from(size_t first)
{
	const struct pomp_regions *regions = &pomp_regions;
	struct search search = {0};
	const char *reason = NULL;

	search.table = pomp_names_load(&reason);
	if (search.table == NULL)
		fprintf(stderr,
		    "pomp: %s; regions have no names but file and offset, `ompreport symbols` can find "
		    "them in a trace\n",
		    reason != NULL ? reason : CODE_NAMES_LIBRARY ": cannot be loaded");
	else if (!pomp_guarded(begin, &search))
		search.namer = NULL;
	for (size_t i = first; i < regions->count; i++) {
		struct pomp_region *region = regions->entry[i];
		if (!needs_name(region))
			continue;
		name_region(&search, region);
		pomp_region_define(region);
	}
	if (search.namer != NULL)
		pomp_guarded(end, &search);
}

void pomp_regions_name(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	const struct pomp_regions *regions = &pomp_regions;

	for (size_t i = 0; regions->by_code > 0 && i < regions->count; i++)
		if (needs_name(regions->entry[i])) {
			name_from(i);
			return;
		}
}
