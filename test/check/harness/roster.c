/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The members of a team that grows, as a thread finds them that may be between two regions: it
 * finds those of the region that was published last, each complete. The harness constructs the
 * team, which grows by the steps of rt_team_prepare() and rt_team_publish().
 */
#include <stdlib.h>

#include "check.h"
#include "team.h"

enum { FIRST = 1, SECOND = 2 };

static struct rt_team team;

static struct rt_member *new_member(uint32_t number)
{
	struct rt_member *member = aligned_alloc(PROCESSOR_APART, sizeof(*member));

	EXPECT(member != NULL);
	member->number = number;
	return member;
}

static void grow(uint32_t from, uint32_t size)
{
	struct rt_roster *old = load_relaxed(&team.roster), *roster;

	roster = calloc(1, sizeof(*roster) + size * sizeof(roster->members[0]));
	EXPECT(roster != NULL);
	roster->previous = old;
	roster->capacity = size;
	for (uint32_t i = 0; i < from; i++)
		roster->members[i] = old->members[i];
	store_release(&team.roster, roster);
	for (uint32_t i = from; i < size; i++)
		roster->members[i] = new_member(i);
}

static void publish(uint32_t size)
{
	uint32_t serial = (uint32_t)load_relaxed(&team.region) + 1;

	store_sequential(&team.region, (uint64_t)size << 32 | serial);
}

static void look_at_members(void *argument)
{
	struct rt_roster *roster;
	uint32_t size = rt_team_published(&team, &roster);

	(void)argument;
	EXPECT(size == FIRST || size == SECOND);
	for (uint32_t i = 0; i < size; i++)
		EXPECT(roster->members[i]->number == i);
}

static void larger_region(void)
{
	grow(0, FIRST);
	publish(FIRST);
	check_start(look_at_members, NULL);
	grow(FIRST, SECOND);
	publish(SECOND);
	look_at_members(NULL);
	check_join();
}
HARNESS(roster_grows, "a thread looks for members while a region has more of them") = {
    .run = larger_region};
