/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The regions of the archive. The list of constructs determines how each appears: its name, its
 * role and the roles of its parts. They are the same as in Score-P's traces, so that viewers group
 * and colour them equally.
 */
#include "pomp-atomics.h"
#include "convert-archive.h"
#include "mpi-events.h"

#include "shared/constructs.h"
#include "shared/precondition.h"
#include "shared/trace-name.h"

#include <stdlib.h>
#include <string.h>

#define ROLE(name) OTF2_REGION_ROLE_##name

/* For each construct; anything else is a user region, named by its sub_name. */
static const struct look {
	OTF2_RegionRole role, block_role;
	const char *block_suffix;
} looks[CONSTRUCT_COUNT] = {
#define TRACED(role, block, word) ROLE(role), ROLE(block), " " word
#define CONSTRUCT(id, name, written, called, measured, traced, advised, about)                     \
	[CONSTRUCT_##id] = {traced},
    CONSTRUCTS(CONSTRUCT)
#undef CONSTRUCT
#undef TRACED
};

/* For user regions. */
static const OTF2_RegionRole region_roles[CONSTRUCT_OTHER + 1] = {
#define REGION(id, name, kind, role, about) [CONSTRUCT_##id] = ROLE(role),
    CONSTRUCT_REGIONS(REGION)
#undef REGION
	[CONSTRUCT_OTHER] = ROLE(CODE),
};

static enum construct_id construct_of(const struct convert_region *region)
{
	return construct_find(region->name, strlen(region->name));
}

/* Heap, NULL when memory ran out. */
static char *region_name(
    const struct convert_region *region, const struct look *look, enum convert_part part)
{
	const char *before = "", *after = "";

	if (look == NULL)
		return strdup(region->sub_name[0] != '\0' ? region->sub_name : region->name);
	if (part == PART_BARRIER)
		return trace_name(
		    "", "implicit barrier", "", "", region->file, region->head.end_last);
	if (part == PART_BLOCK)
		after = look->block_suffix;
	else if (part == PART_WAIT)
		after = " wait";
	else if (part == PART_CREATE)
		before = "create ";
	return trace_name(
	    before, region->name, region->sub_name, after, region->file, region->head.begin_first);
}

static OTF2_RegionRole role_of(
    enum construct_id construct, const struct look *look, enum convert_part part)
{
	switch (part) {
	case PART_BARRIER:
		return OTF2_REGION_ROLE_IMPLICIT_BARRIER;
	case PART_WAIT:
		return OTF2_REGION_ROLE_TASK_WAIT;
	case PART_CREATE:
		return OTF2_REGION_ROLE_TASK_CREATE;
	case PART_BLOCK:
		return look != NULL ? look->block_role : OTF2_REGION_ROLE_CODE;
	case PART_CONSTRUCT:
	case PART_COUNT:
		break;
	}
	return look != NULL ? look->role : region_roles[construct];
}

/* Returns the number in a slot; gives out a new number if there is none yet. */
static OTF2_RegionRef number_at(struct convert_archive *archive, _Atomic uint32_t *place)
{
	uint32_t ref = load_relaxed(place);

	if (ref != 0)
		return ref - 1;
	pthread_mutex_lock(&archive->lock);
	ref = load_relaxed(place);
	if (ref == 0) {
		ref = ++archive->region_count;
		store_relaxed(place, ref);
	}
	pthread_mutex_unlock(&archive->lock);
	return ref - 1;
}

OTF2_RegionRef convert_region_ref(
    struct convert_archive *archive, uint32_t region, enum convert_part part)
{
	/* Id 0: an event whose descriptor could not be registered. Too large: a damaged log. */
	if (region > archive->input->region_count)
		region = 0;
	return number_at(archive, &archive->region[(size_t)region * PART_COUNT + part]);
}

OTF2_RegionRef convert_routine_ref(struct convert_archive *archive, enum trace_log_routine routine)
{
	CHECK(routine < TRACE_LOG_ROUTINE_COUNT, "there is such a routine");
	return number_at(archive, &archive->routine[routine]);
}

/* Returns the place in the code that identifies a region; NULL: none does. */
static char *code_of(const struct convert_region *region)
{
	if (region->module == NULL)
		return NULL;
	const struct code_place place = {
	    .module = region->module,
	    .build_id = region->build_id,
	    .offset = region->code.offset,
	    .at = (enum code_at)region->code.at,
	    .is_gnu = region->code.is_gnu != 0,
	    .caller = region->code.caller,
	};
	return code_place_print(&place);
}

static struct convert_region_text describe_region(
    const struct convert_archive *archive, uint32_t id, enum convert_part part)
{
	const struct convert_region unknown = {
	    .name = construct_name(CONSTRUCT_REGION), .sub_name = "(unknown region)", .file = ""};
	const struct convert_region *region = id > 0 && archive->input->regions[id - 1].name != NULL
						  ? &archive->input->regions[id - 1]
						  : &unknown;
	enum construct_id construct = construct_of(region);
	const struct look *look = construct < CONSTRUCT_COUNT ? &looks[construct] : NULL;

	if (construct == CONSTRUCT_MPI)
		return convert_describe_mpi(region->sub_name);
	return (struct convert_region_text){
	    .name = region_name(region, look, part),
	    .code = code_of(region),
	    .description = region->module != NULL ? region->function : region->sub_name,
	    .file = region->file,
	    .role = role_of(construct, look, part),
	    .paradigm = look != NULL ? OTF2_PARADIGM_OPENMP : OTF2_PARADIGM_USER,
	    .begin = (uint32_t)region->head.begin_first,
	    .end = (uint32_t)region->head.end_last,
	};
}

static struct convert_region_text describe_routine(enum trace_log_routine routine)
{
	static const char *const names[] = {
#define NAME(name) "omp_" #name,
	    TRACE_LOG_ROUTINES(NAME)
#undef NAME
	};

	return (struct convert_region_text){
	    .name = strdup(names[routine]),
	    .description = "",
	    .file = "",
	    .role = OTF2_REGION_ROLE_WRAPPER,
	    .paradigm = OTF2_PARADIGM_OPENMP,
	};
}

/* Returns slots: those in archive->region, then the routines. */
uint32_t *convert_list_regions(struct convert_archive *archive)
{
	size_t parts = (archive->input->region_count + 1) * PART_COUNT;
	uint32_t *places = calloc((size_t)archive->region_count + 1, sizeof(*places));

	for (size_t i = 0; places != NULL && i < parts; i++)
		if (archive->region[i] != 0)
			places[archive->region[i] - 1] = (uint32_t)i;
	for (size_t i = 0; places != NULL && i < TRACE_LOG_ROUTINE_COUNT; i++)
		if (archive->routine[i] != 0)
			places[archive->routine[i] - 1] = (uint32_t)(parts + i);
	return places;
}

struct convert_region_text convert_describe_region(
    const struct convert_archive *archive, uint32_t place)
{
	size_t parts = (archive->input->region_count + 1) * PART_COUNT;

	if (place >= parts)
		return describe_routine((enum trace_log_routine)(place - parts));
	return describe_region(
	    archive, place / PART_COUNT, (enum convert_part)(place % PART_COUNT));
}
