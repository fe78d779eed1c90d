/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Divides large teams into groups. One line that all members watch is fastest for few members. It
 * is also the only sensible way if threads wait for processors, because the member that is to pass
 * the value on may be the one that does not run. So teams of up to RT_GROUP_SIZE members are not
 * divided, and larger ones only if each thread has a processor. Divisions are kept, since programs
 * alternate between few sizes and workers may still look at the previous one; a team that has had
 * MOST divisions gets no further ones.
 */
#include "team-groups.h"

#include <pthread.h>
#include <stdlib.h>

#include "shared/debug-log.h"

enum { MOST = 16 };

static const struct rt_site *sites; /* of the places; NULL: no places, or no memory */

static void read_sites(void)
{
	sites = rt_topology_read(&rt_process.places, &rt_process.allowed, RT_SYSFS);
}

static const struct rt_site *sites_of_places(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_sites);
	return sites;
}

/* Where each member is, by number, in memory from malloc(); NULL: unknown. */
static struct rt_site *sites_of_members(const struct rt_groups_key *key)
{
	const struct rt_site *of_places = sites_of_places();
	struct rt_site *members;

	if (of_places == NULL || key->bind == RT_BIND_FALSE)
		return NULL;
	members = calloc(key->size, sizeof(*members));
	for (uint32_t i = 0; members != NULL && i < key->size; i++) {
		struct rt_placement own;
		rt_place_member(&own, &key->primary, key->size, i, (enum rt_bind)key->bind);
		members[i] = of_places[own.place];
	}
	return members;
}

static uint32_t group_size(void)
{
	return rt_process.group_size != 0 ? (uint32_t)rt_process.group_size : RT_GROUP_SIZE;
}

static bool is_same(const struct rt_groups_key *one, const struct rt_groups_key *other)
{
	return one->size == other->size && one->bind == other->bind &&
	       (one->bind == RT_BIND_FALSE ||
		   (one->primary.place == other->primary.place &&
		       one->primary.partition_first == other->primary.partition_first &&
		       one->primary.partition_length == other->primary.partition_length));
}

static struct rt_groups *find_or_make(struct rt_team *team, const struct rt_groups_key *key)
{
	struct rt_groups *list = load_relaxed(&team->divisions), *groups = list;
	struct rt_site *members;
	uint32_t count = 0;

	for (; groups != NULL; groups = groups->other, count++)
		if (is_same(&groups->key, key))
			return groups;
	if (count == MOST)
		return NULL;
	members = sites_of_members(key);
	groups = rt_groups_new(key, members, group_size());
	free(members);
	if (groups == NULL)
		return NULL;
	groups->other = list;
	/* Release, pairs with the acquire of a thread that wakes all sleepers. */
	store_release(&team->divisions, groups);
	DEBUG_LOG(team,
	    "team %p: %u threads in %u groups, %u of which the opener of a barrier writes",
	    (void *)team, key->size, groups->count, groups->firsts);
	return groups;
}

static bool is_wanted(const struct rt_team *team)
{
	return team->size > rt_process.undivided_size &&
	       (rt_process.group_size != 0 || load_relaxed(&team->shortage) == RT_SHORTAGE_NONE);
}

static struct rt_groups_key key_of(const struct rt_team *team)
{
	struct rt_groups_key key = {.size = team->size};

	if (team->is_bound) {
		key.bind = team->bind;
		key.primary = (struct rt_placement){
		    team->primary_place, team->icvs->partition_first, team->icvs->partition_length};
	}
	return key;
}

bool rt_team_divide(struct rt_team *team)
{
	struct rt_groups *old = load_relaxed(&team->groups), *groups = NULL;

	if (is_wanted(team)) {
		struct rt_groups_key key = key_of(team);
		if (old != NULL && is_same(&old->key, &key))
			return false;
		groups = find_or_make(team, &key);
	}
	if (groups == old)
		return false;
	if (groups != NULL)
		rt_groups_begin_use(groups, load_relaxed(&team->region),
		    load_relaxed(&team->barrier.generation), load_relaxed(&team->single_turn));
	/* Release, pairs with the acquire of workers that look for their group's line. */
	store_release(&team->groups, groups);
	return true;
}
