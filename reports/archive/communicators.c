/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who is a member of a communicator of MPI: OTF2 lists a location of each rank once, and the
 * members of a communicator are places in that list, or locations themselves. Asked are processes.
 */
#include "archive-parts.h"
#include "memory.h"

static uint32_t process_of(const struct archive *archive, OTF2_LocationRef ref)
{
	uint32_t location = archive_index(&archive->location_of, ref);

	return location == ARCHIVE_NO_INDEX ? ARCHIVE_NO_INDEX : archive->locations[location].group;
}

/* Short, for columns of tables. */
static const char *label_of(const struct archive *archive, const struct archive_location *location)
{
	if (archive->process_count < 2 || location->group >= archive->process_count)
		return location->name;
	return memory_print("%u:%s", location->group, location->name);
}

void archive_number_ranks(struct archive *archive)
{
	const struct archive_list *ranks = archive_mpi_locations(archive);

	if (ranks) {
		archive->rank_count = ranks->count;
		archive->group_of_rank =
		    memory_new(ranks->count, sizeof(archive->group_of_rank[0]));
	}
	for (size_t i = 0; i < archive->rank_count; i++)
		archive->group_of_rank[i] = process_of(archive, ranks->members[i]);
	for (size_t i = 0; i < archive->location_count; i++)
		archive->locations[i].label = label_of(archive, &archive->locations[i]);
}

static const struct archive_list *members_of(const struct archive *archive, uint32_t comm)
{
	if (comm == ARCHIVE_NO_INDEX || archive->comms[comm].members == ARCHIVE_NO_INDEX)
		return NULL;
	return &archive->lists[archive->comms[comm].members];
}

uint32_t archive_member_process(
    const struct archive *archive, uint32_t comm, uint32_t member, uint32_t own)
{
	const struct archive_list *list = members_of(archive, comm);

	if (!list)
		return ARCHIVE_NO_INDEX;
	if (list->type == OTF2_GROUP_TYPE_COMM_SELF)
		return member == 0 ? own : ARCHIVE_NO_INDEX;
	if (member >= list->count)
		return ARCHIVE_NO_INDEX;
	if (list->has_locations)
		return process_of(archive, list->members[member]);
	return list->members[member] < archive->rank_count
		   ? archive->group_of_rank[list->members[member]]
		   : ARCHIVE_NO_INDEX;
}

uint32_t archive_comm_size(const struct archive *archive, uint32_t comm)
{
	const struct archive_list *list = members_of(archive, comm);

	if (!list)
		return 0;
	return list->type == OTF2_GROUP_TYPE_COMM_SELF ? 1 : list->count;
}
