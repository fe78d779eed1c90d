/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names are looked up when the program has done its work, and no failure there may affect it. Names
 * that were found before are kept; other regions have their module and offset, which `ompreport
 * symbols` can turn into names later.
 */
#include "name-regions.h"

#include "guard.h"
#include "lock.h"
#include "message-file.h"
#include "names-search.h"
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

/* A lookup that is running. */
struct lookup {
	struct pomp_names_search *search;
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

static void find(void *context)
{
	struct lookup *lookup = context;
	const struct pomp_region *region = lookup->region;
	const struct code_question question = {
	    .construct = region->name,
	    .place = region->code->place,
	    .lock_offset = region->code->lock_offset,
	};

	lookup->search->table->find(lookup->search->namer, &question, &lookup->name);
}

/* Looks up the name of one region; after a failure, no more names are looked up. */
static void name_region(struct pomp_names_search *search, struct pomp_region *region)
{
	struct lookup lookup = {search, region, {0}};

	if (search->namer != NULL && !pomp_guarded(find, &lookup)) {
		fprintf(pomp_message_file(),
		    "pomp: '%s': damaged, or it changed while it was read; further regions have "
		    "no names\n",
		    region->code->place.module);
		search->namer = NULL; /* it is in an unknown state, so it is not even freed */
		lookup.name = (struct code_name){0};
	}
	take_name(region, &lookup.name);
	code_name_free(&lookup.name);
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
	struct pomp_names_search *search = pomp_names_search(SECONDS_MOST);

	if (search->table == NULL)
		fprintf(pomp_message_file(),
		    "pomp: %s; regions have no names but file and offset, `ompreport symbols` can find "
		    "them in a trace\n",
		    search->reason != NULL ? search->reason
					   : CODE_NAMES_LIBRARY ": cannot be loaded");
	for (size_t i = first; i < regions->count; i++) {
		struct pomp_region *region = regions->entry[i];
		if (!needs_name(region))
			continue;
		name_region(search, region);
		pomp_region_define(region);
	}
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
