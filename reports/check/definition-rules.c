/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of `ompreport check` about definitions: what viewers expect in every OpenMP trace, and
 * whether a team's members are those that its group lists.
 */
#include <string.h>

#include "archive-check.h"

static const struct archive_list *openmp_locations(const struct archive *archive)
{
	for (size_t i = 0; i < archive->list_count; i++)
		if (archive->lists[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS &&
		    archive->lists[i].paradigm == OTF2_PARADIGM_OPENMP)
			return &archive->lists[i];
	return NULL;
}

bool check_is_member(const struct archive *archive, const struct archive_event *event)
{
	const struct archive_list *all = openmp_locations(archive), *team;

	if (!all || event->subject == ARCHIVE_NO_INDEX ||
	    archive->comms[event->subject].members == ARCHIVE_NO_INDEX)
		return true;
	team = &archive->lists[archive->comms[event->subject].members];
	for (uint32_t i = 0; i < team->count; i++)
		if (team->members[i] < all->count &&
		    all->members[team->members[i]] == archive->locations[event->location].ref)
			return true;
	return false;
}

static bool has_property(const struct archive *archive, const char *name)
{
	for (size_t i = 0; i < archive->property_count; i++)
		if (strcmp(archive->properties[i].name, name) == 0)
			return true;
	return false;
}

void check_definitions(struct check *check)
{
	const struct archive *archive = check->archive;

	if (check->forks > 0)
		for (int kind = 0; kind < DEFINED_KINDS; kind++)
			check->findings[RULE_INCOMPLETE].count += !(archive->defined >> kind & 1);
	check->findings[RULE_PROMISE].count +=
	    check->forks > 0 && !has_property(archive, "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE");
	check->findings[RULE_PROMISE].count +=
	    check->acquisitions > 0 && !has_property(archive, "OTF2::THREAD_LOCK_EVENT_COMPLETE");
	check->findings[RULE_SPARSE].count += archive->sparse_definitions;
	check->findings[RULE_UNKNOWN].count += archive->unknown_definitions;
}
