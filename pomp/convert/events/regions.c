/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The regions of the archive. One table says how each construct shows: its name, its role and those
 * of its parts, as Score-P's traces have them, so that the viewers group and colour them alike.
 */
#include "archive.h"
#include "mpi-events.h"

#include "shared/trace-name.h"

#include <stdlib.h>
#include <string.h>

#define ROLE(name) OTF2_REGION_ROLE_##name

/* Constructs whose name is not here are user regions: CODE, named by their sub_name. */
static const struct look {
	const char *name;
	OTF2_RegionRole role, block_role;
	const char *block_suffix;
} looks[] = {
    {"parallel", ROLE(PARALLEL), ROLE(CODE), " block"},
    {"for", ROLE(LOOP), ROLE(CODE), " block"},
    {"sections", ROLE(SECTIONS), ROLE(SECTION), " section"},
    {"section", ROLE(SECTION), ROLE(CODE), " block"},
    {"single", ROLE(SINGLE), ROLE(SINGLE_SBLOCK), " sblock"},
    {"scope", ROLE(WORKSHARE), ROLE(CODE), " block"},
    {"master", ROLE(MASTER), ROLE(CODE), " block"},
    {"masked", ROLE(MASTER), ROLE(CODE), " block"},
    {"critical", ROLE(CRITICAL), ROLE(CRITICAL_SBLOCK), " sblock"},
    {"ordered", ROLE(ORDERED), ROLE(ORDERED_SBLOCK), " sblock"},
    {"atomic", ROLE(ATOMIC), ROLE(CODE), " block"},
    {"flush", ROLE(FLUSH), ROLE(CODE), " block"},
    {"barrier", ROLE(BARRIER), ROLE(CODE), " block"},
    {"task", ROLE(TASK), ROLE(CODE), " block"},
    {"taskwait", ROLE(TASK_WAIT), ROLE(CODE), " block"},
    {"taskyield", ROLE(TASK_WAIT), ROLE(CODE), " block"},
    {"taskgroup", ROLE(CODE), ROLE(CODE), " block"},
    {"taskloop", ROLE(CODE), ROLE(CODE), " block"},
    {"loop", ROLE(LOOP), ROLE(CODE), " block"},
    {"distribute", ROLE(LOOP), ROLE(CODE), " block"},
    {"teams", ROLE(CODE), ROLE(CODE), " block"},
    {"target", ROLE(CODE), ROLE(CODE), " block"},
    {"target data", ROLE(DATA_TRANSFER), ROLE(CODE), " block"},
    {"target enter data", ROLE(DATA_TRANSFER), ROLE(CODE), " block"},
    {"target exit data", ROLE(DATA_TRANSFER), ROLE(CODE), " block"},
    {"target update", ROLE(DATA_TRANSFER), ROLE(CODE), " block"},
};

static const struct look *look_of(const char *name)
{
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		if (strcmp(looks[i].name, name) == 0)
			return &looks[i];
	return NULL;
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
    const struct convert_region *region, const struct look *look, enum convert_part part)
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
	if (look != NULL)
		return look->role;
	return strcmp(region->name, "function") == 0 ? OTF2_REGION_ROLE_FUNCTION
						     : OTF2_REGION_ROLE_CODE;
}

/* The number at a place, given now if it has none yet. */
static OTF2_RegionRef number_at(struct convert_archive *archive, _Atomic uint32_t *place)
{
	uint32_t ref = atomic_load_explicit(place, memory_order_relaxed);

	if (ref != 0)
		return ref - 1;
	pthread_mutex_lock(&archive->lock);
	ref = atomic_load_explicit(place, memory_order_relaxed);
	if (ref == 0) {
		ref = ++archive->region_count;
		atomic_store_explicit(place, ref, memory_order_relaxed);
	}
	pthread_mutex_unlock(&archive->lock);
	return ref - 1;
}

OTF2_RegionRef convert_region_ref(
    struct convert_archive *archive, uint32_t region, enum convert_part part)
{
	/* Id 0 is an event whose descriptor could not be registered, beyond: a damaged log. */
	if (region > archive->input->region_count)
		region = 0;
	return number_at(archive, &archive->region[(size_t)region * PART_COUNT + part]);
}

OTF2_RegionRef convert_routine_ref(struct convert_archive *archive, enum trace_log_routine routine)
{
	return number_at(archive, &archive->routine[routine]);
}

static struct convert_region_text describe_region(
    const struct convert_archive *archive, uint32_t id, enum convert_part part)
{
	static const struct convert_region unknown = {
	    .name = "region", .sub_name = "(unknown region)", .file = ""};
	const struct convert_region *region = id > 0 && archive->input->regions[id - 1].name != NULL
						  ? &archive->input->regions[id - 1]
						  : &unknown;
	const struct look *look = look_of(region->name);

	if (strcmp(region->name, "mpi") == 0)
		return convert_describe_mpi(region->sub_name);
	return (struct convert_region_text){
	    .name = region_name(region, look, part),
	    .description = region->sub_name,
	    .file = region->file,
	    .role = role_of(region, look, part),
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

/* Places are those in archive->region, then the routines. */
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
