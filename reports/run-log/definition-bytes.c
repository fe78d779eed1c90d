/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The definitions of an archive as bytes: one function for each structure writes or reads it.
 * Definitions that only printing the archive needs, and those of metrics, are left out.
 */
#include "memory.h"
#include "run-log.h"

/* The number of elements; a reader allocates them. */
#define ELEMENTS(bytes, array, count)                                                              \
	do {                                                                                       \
		bytes_count((bytes), &(count));                                                    \
		if ((bytes)->reads)                                                                \
			(array) = memory_new((count), sizeof((array)[0]));                         \
	} while (0)

static void pass_region(struct bytes *bytes, struct archive_region *region)
{
	bytes_text(bytes, &region->name);
	bytes_text(bytes, &region->file);
	bytes_text(bytes, &region->function);
	BYTES_NUMBER(bytes, region->file_ref);
	BYTES_NUMBER(bytes, region->begin_line);
	BYTES_NUMBER(bytes, region->end_line);
	BYTES_NUMBER(bytes, region->code);
	BYTES_NUMBER(bytes, region->role);
	BYTES_NUMBER(bytes, region->paradigm);
}

static void pass_location(struct bytes *bytes, struct archive_location *location)
{
	bytes_text(bytes, &location->name);
	bytes_text(bytes, &location->label);
	BYTES_NUMBER(bytes, location->ref);
	BYTES_NUMBER(bytes, location->group);
	BYTES_NUMBER(bytes, location->type);
}

static void pass_group(struct bytes *bytes, struct archive_group *group)
{
	bytes_text(bytes, &group->name);
	bytes_text(bytes, &group->host);
	BYTES_NUMBER(bytes, group->type);
}

static void pass_comm(struct bytes *bytes, struct archive_comm *comm)
{
	BYTES_NUMBER(bytes, comm->size);
	BYTES_NUMBER(bytes, comm->members);
	BYTES_NUMBER(bytes, comm->has_parent);
	BYTES_NUMBER(bytes, comm->is_inter);
}

static void pass_list(struct bytes *bytes, struct archive_list *list)
{
	size_t count = list->count;

	ELEMENTS(bytes, list->members, count);
	list->count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		bytes_number(bytes, &list->members[i]);
	BYTES_NUMBER(bytes, list->type);
	BYTES_NUMBER(bytes, list->paradigm);
	BYTES_NUMBER(bytes, list->has_locations);
}

static void pass_arrays(struct bytes *bytes, struct archive *archive)
{
	ELEMENTS(bytes, archive->regions, archive->region_count);
	for (size_t i = 0; i < archive->region_count; i++)
		pass_region(bytes, &archive->regions[i]);
	ELEMENTS(bytes, archive->locations, archive->location_count);
	for (size_t i = 0; i < archive->location_count; i++)
		pass_location(bytes, &archive->locations[i]);
	ELEMENTS(bytes, archive->groups, archive->group_count);
	for (size_t i = 0; i < archive->group_count; i++)
		pass_group(bytes, &archive->groups[i]);
	ELEMENTS(bytes, archive->comms, archive->comm_count);
	for (size_t i = 0; i < archive->comm_count; i++)
		pass_comm(bytes, &archive->comms[i]);
	ELEMENTS(bytes, archive->lists, archive->list_count);
	for (size_t i = 0; i < archive->list_count; i++)
		pass_list(bytes, &archive->lists[i]);
	ELEMENTS(bytes, archive->group_of_rank, archive->rank_count);
	for (size_t i = 0; i < archive->rank_count; i++)
		BYTES_NUMBER(bytes, archive->group_of_rank[i]);
	ELEMENTS(bytes, archive->properties, archive->property_count);
	for (size_t i = 0; i < archive->property_count; i++) {
		bytes_text(bytes, (const char **)&archive->properties[i].name);
		bytes_text(bytes, (const char **)&archive->properties[i].value);
	}
}

bool run_log_definitions(struct bytes *bytes, struct archive *archive)
{
	BYTES_NUMBER(bytes, archive->ticks_per_second);
	BYTES_NUMBER(bytes, archive->clock_start);
	BYTES_NUMBER(bytes, archive->clock_length);
	BYTES_NUMBER(bytes, archive->events);
	BYTES_NUMBER(bytes, archive->process_count);
	BYTES_NUMBER(bytes, archive->thread_count);
	BYTES_NUMBER(bytes, archive->lost_ranks);
	BYTES_NUMBER(bytes, archive->has_mpi);
	bytes_text(bytes, &archive->program);
	pass_arrays(bytes, archive);
	for (size_t i = 0; bytes->reads && i < archive->location_count; i++)
		memory_map_set(&archive->location_of, archive->locations[i].ref, i);
	return !bytes->broken && archive->thread_count <= archive->location_count &&
	       archive->process_count <= archive->group_count;
}
