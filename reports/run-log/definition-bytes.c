/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The definitions of an archive as bytes: one function for each structure writes or reads it.
 * Definitions that only printing the archive needs, and those of metrics but for the number of the
 * class with the kernel's figures, are left out.
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

/*
 * The file of a context: the number + 1 of an earlier context that has it, or 0 and its name.
 * firsts: the first context of each file, when writing.
 */
static void pass_file(
    struct bytes *bytes, struct archive_context *contexts, size_t index, struct map *firsts)
{
	struct archive_context *context = &contexts[index];
	uint64_t same = 0;

	if (!bytes->reads)
		same = map_find(firsts, (uintptr_t)context->file) + 1; /* MAP_NONE + 1 is 0 */
	bytes_number(bytes, &same);
	if (same == 0) {
		bytes_text(bytes, &context->file);
		if (!bytes->reads)
			memory_map_set(firsts, (uintptr_t)context->file, index);
	} else if (bytes->reads) {
		bytes->broken |= same > index;
		context->file = same > index ? "" : contexts[same - 1].file;
	}
}

/* An index, or ARCHIVE_NO_INDEX, as its distance from `next`; 0: none. */
static void pass_index(struct bytes *bytes, uint32_t *index, size_t next)
{
	uint64_t distance = *index == ARCHIVE_NO_INDEX ? 0 : next - *index;

	bytes_number(bytes, &distance);
	bytes->broken |= distance > next;
	*index = distance == 0 || distance > next ? ARCHIVE_NO_INDEX : (uint32_t)(next - distance);
}

static void pass_contexts(struct bytes *bytes, struct archive *archive)
{
	struct map firsts = {0};

	ELEMENTS(bytes, archive->contexts, archive->context_count);
	for (size_t i = 0; i < archive->context_count; i++) {
		pass_index(bytes, &archive->contexts[i].region, archive->region_count);
		pass_index(bytes, &archive->contexts[i].parent, i);
		pass_file(bytes, archive->contexts, i, &firsts);
		BYTES_NUMBER(bytes, archive->contexts[i].line);
	}
	map_free(&firsts);
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
	pass_contexts(bytes, archive);
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
	BYTES_NUMBER(bytes, archive->usage_class);
	if (bytes->reads) /* run_log_add() leaves both out */
		archive->mark_class = archive->counter_class = ARCHIVE_NO_INDEX;
	BYTES_NUMBER(bytes, archive->blocked_generator);
	BYTES_NUMBER(bytes, archive->fault_generator);
	BYTES_NUMBER(bytes, archive->sample_period);
	bytes_text(bytes, &archive->program);
	pass_arrays(bytes, archive);
	for (size_t i = 0; bytes->reads && i < archive->location_count; i++)
		memory_map_set(&archive->location_of, archive->locations[i].ref, i);
	return !bytes->broken && archive->thread_count <= archive->location_count &&
	       archive->process_count <= archive->group_count;
}
