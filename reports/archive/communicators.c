/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which processes are members of a communicator of MPI: OTF2 lists a location of each rank once,
 * and the members of a communicator are places in that list, or locations themselves.
 */
#include "definitions.h"

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
		return archive_process_of_location(archive, list->members[member]);
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
