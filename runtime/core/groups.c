/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups: the division of a team, and the protocols on it. The callers decide when to divide a team
 * and who waits for what.
 */
#include "groups.h"

#include <sched.h>
#include <stdlib.h>

#include "home.h"
#include "shared/precondition.h"

/* A member, while the groups are made. */
struct seat {
	struct rt_site site;
	uint32_t number;
};

static int compare_seats(const void *a, const void *b)
{
	const struct seat *one = a, *other = b;

	if (one->site.socket != other->site.socket)
		return one->site.socket < other->site.socket ? -1 : 1;
	if (one->site.node != other->site.node)
		return one->site.node < other->site.node ? -1 : 1;
	if (one->site.cache != other->site.cache)
		return one->site.cache < other->site.cache ? -1 : 1;
	return one->number < other->number ? -1 : one->number > other->number;
}

/*
 * The members in the machine's order; members with adjacent numbers stay adjacent where possible.
 */
static struct seat *sorted_seats(uint32_t size, const struct rt_site *sites)
{
	struct seat *seats = calloc(size, sizeof(*seats));

	if (seats == NULL)
		return NULL;
	for (uint32_t i = 0; i < size; i++) {
		seats[i].number = i;
		seats[i].site = sites != NULL ? sites[i] : (struct rt_site){.node = RT_NODE_ANY};
	}
	if (sites != NULL)
		qsort(seats, size, sizeof(*seats), compare_seats);
	return seats;
}

static bool share_cache(const struct seat *one, const struct seat *other)
{
	return one->site.socket == other->site.socket && one->site.cache == other->site.cache;
}

/* Number of members from `first` on that share the cache of `first`. */
static uint32_t cache_run(const struct seat *seats, uint32_t size, uint32_t first)
{
	uint32_t end = first + 1;

	while (end < size && share_cache(&seats[first], &seats[end]))
		end++;
	return end - first;
}

static uint32_t socket_run(const struct seat *seats, uint32_t size, uint32_t first)
{
	uint32_t end = first + 1;

	while (end < size && seats[end].site.socket == seats[first].site.socket)
		end++;
	return end - first;
}

/*
 * How many of the `rest` members of a socket from `first` on form a group: at most group_size. A
 * cache with at least half as many members forms a group alone; it is not split among groups that
 * have members of other caches.
 */
static uint32_t group_run(
    const struct seat *seats, uint32_t rest, uint32_t first, uint32_t group_size)
{
	uint32_t taken = 0;

	while (taken < rest && taken < group_size) {
		uint32_t run = cache_run(seats, first + rest, first + taken);
		if (taken > 0 && run >= (group_size + 1) / 2)
			break;
		taken += run;
		if (run >= (group_size + 1) / 2)
			break;
	}
	return taken < group_size ? taken : group_size;
}

/*
 * Sets each member's ranges and the position where each group begins; returns the number of groups.
 */
static uint32_t divide(
    struct rt_groups *groups, const struct seat *seats, uint32_t group_size, uint32_t *firsts)
{
	uint32_t size = groups->key.size, count = 0;

	for (uint32_t socket = 0, members; socket < size; socket += members) {
		members = socket_run(seats, size, socket);
		for (uint32_t first = socket, run; first < socket + members; first += run) {
			run = group_run(seats, socket + members - first, first, group_size);
			for (uint32_t i = first; i < first + run; i++)
				groups->members[seats[i].number] =
				    (struct rt_group_member){.group_first = first,
					.group_size = run,
					.socket_first = socket,
					.socket_size = members};
			firsts[count++] = first;
		}
	}
	return count;
}

/* The member at a position of the order. */
static struct rt_group_member *member_at(const struct rt_groups *groups, uint32_t position)
{
	return &groups->members[groups->order[position]];
}

/*
 * The tree of releases. The thread that opens a barrier writes the first group of each socket, or
 * the first `limit` groups if there is only one socket. A further group gets its news from a member
 * of an earlier group of its socket: group k from member k - 1 or an earlier one, which exists
 * because each group has a member. If there are more sockets than `limit`, the first groups of the
 * remaining sockets get theirs from members that pass nothing on yet: each socket has one more
 * member than groups to give to.
 */
static void link_groups(struct rt_groups *groups, uint32_t limit)
{
	uint32_t size = groups->key.size, free_giver = 0;
	bool one_socket = member_at(groups, 0)->socket_size == size;
	uint32_t given = one_socket ? limit : 1; /* groups of a socket written from outside it */

	for (uint32_t i = 0, index = 0; i < size; i += member_at(groups, i)->group_size, index++) {
		const struct rt_group_member *first = member_at(groups, i);
		if (i == first->socket_first)
			index = 0;
		if (index >= given)
			member_at(groups, first->socket_first + index - given)->next = first->group;
		else if (groups->firsts < limit)
			groups->first_groups[groups->firsts++] = first->group;
	}
	for (uint32_t i = 0, sockets = 0; i < size; i += member_at(groups, i)->socket_size) {
		if (one_socket || sockets++ < limit)
			continue;
		while (member_at(groups, free_giver)->next != NULL)
			free_giver++;
		member_at(groups, free_giver)->next = member_at(groups, i)->group;
	}
}

/* While a tree of counters is made: the nodes that have no parent yet. */
struct level {
	uint32_t nodes;
	struct {
		struct rt_group_node *node;
		uint32_t block;
	} * node;
};

/*
 * Takes an inner node of the block whose nodes it joins, or of the first block if it joins blocks.
 */
static struct rt_group_node *take_inner(struct rt_groups *groups, uint32_t block, uint32_t tree)
{
	struct rt_group_block *owner = &groups->blocks[block];

	return &owner->inner[tree * owner->inners + owner->taken++];
}

/*
 * Gives each `fan` (or fewer) neighbours a common parent. While a block has more than one node,
 * only nodes of one block get the same parent.
 */
static void join_level(struct rt_groups *groups, struct level *level, uint32_t tree, uint32_t fan)
{
	bool within = false;
	uint32_t parents = 0;

	for (uint32_t i = 1; i < level->nodes; i++)
		within |= level->node[i].block == level->node[i - 1].block;
	for (uint32_t i = 0, run; i < level->nodes; i += run) {
		run = 1;
		while (i + run < level->nodes && run < fan &&
		       (!within || level->node[i + run].block == level->node[i].block))
			run++;
		if (run > 1) {
			struct rt_group_node *parent =
			    take_inner(groups, within ? level->node[i].block : 0, tree);
			for (uint32_t child = i; child < i + run; child++)
				level->node[child].node->parent = parent;
			parent->children = run;
			store_relaxed(&parent->missing, run);
			level->node[i].node = parent;
		}
		level->node[parents++] = level->node[i];
	}
	level->nodes = parents;
}

/* Makes one tree of counters, from the groups' leaves to the root. False: no memory. */
static bool make_tree(struct rt_groups *groups, uint32_t tree, uint32_t fan)
{
	struct level level = {0, calloc(groups->count, sizeof(*level.node))};

	if (level.node == NULL)
		return false;
	for (uint32_t block = 0; block < groups->block_count; block++) {
		groups->blocks[block].taken = 0;
		for (uint32_t i = 0; i < groups->blocks[block].count; i++) {
			level.node[level.nodes].node =
			    &groups->groups[groups->blocks[block].first + i]->leaves[tree];
			level.node[level.nodes++].block = block;
		}
	}
	for (uint32_t i = 0; i < groups->key.size; i += member_at(groups, i)->group_size) {
		struct rt_group_node *leaf = &member_at(groups, i)->group->leaves[tree];
		leaf->children = member_at(groups, i)->group_size;
		store_relaxed(&leaf->missing, leaf->children);
	}
	while (level.nodes > 1)
		join_level(groups, &level, tree, fan);
	free(level.node);
	return true;
}

static void free_one(struct rt_groups *groups)
{
	for (uint32_t i = 0; i < groups->block_count; i++) {
		struct rt_group_block *block = &groups->blocks[i];
		rt_home_free(block->memory, block->bytes, block->has_pages);
	}
	free(groups->blocks);
	free(groups->groups);
	free(groups->first_groups);
	free(groups->members);
	free(groups->order);
	free(groups);
}

void rt_groups_free(struct rt_groups *list)
{
	while (list != NULL) {
		struct rt_groups *other = list->other;
		free_one(list);
		list = other;
	}
}

/*
 * A tree of n leaves has fewer than n inner nodes. So a block needs fewer inner nodes than it has
 * groups, and the levels above the blocks need fewer than there are blocks.
 */
static bool fill_block(struct rt_groups *groups, struct rt_group_block *block, int32_t node)
{
	size_t groups_bytes = block->count * sizeof(struct rt_group);
	struct rt_group *first;

	block->inners = block->count + (block == groups->blocks ? groups->block_count : 0);
	block->bytes =
	    groups_bytes + (size_t)RT_GROUP_TREES * block->inners * sizeof(struct rt_group_node);
	block->has_pages = node != RT_NODE_ANY && rt_home_matters();
	block->memory = first = rt_home_new(block->bytes, block->has_pages, node);
	if (first == NULL)
		return false;
	block->inner = (struct rt_group_node *)(void *)((char *)block->memory + groups_bytes);
	for (uint32_t i = 0; i < block->count; i++) {
		first[i].number = block->first + i;
		groups->groups[block->first + i] = &first[i];
	}
	return true;
}

static bool share_home(const struct seat *one, const struct seat *other)
{
	return one->site.socket == other->site.socket && one->site.node == other->site.node;
}

/* Blocks of neighbouring groups, by the home of each group's first member. */
static bool make_blocks(struct rt_groups *groups, const struct seat *seats, const uint32_t *firsts)
{
	for (uint32_t i = 0; i < groups->count; i++) {
		if (i == 0 || !share_home(&seats[firsts[i]], &seats[firsts[i - 1]]))
			groups->blocks[groups->block_count++].first = i;
		groups->blocks[groups->block_count - 1].count++;
	}
	for (uint32_t i = 0; i < groups->block_count; i++) {
		struct rt_group_block *block = &groups->blocks[i];
		if (!fill_block(groups, block, seats[firsts[block->first]].site.node))
			return false;
	}
	return true;
}

/* Makes the groups and sets the group of each member. */
static bool make_groups(
    struct rt_groups *groups, const struct seat *seats, uint32_t group_size, uint32_t *firsts)
{
	uint32_t size = groups->key.size;

	groups->count = divide(groups, seats, group_size, firsts);
	groups->groups = calloc(groups->count, sizeof(struct rt_group *));
	groups->blocks = calloc(groups->count, sizeof(*groups->blocks));
	groups->first_groups = calloc(group_size, sizeof(struct rt_group *));
	if (groups->groups == NULL || groups->blocks == NULL || groups->first_groups == NULL ||
	    !make_blocks(groups, seats, firsts))
		return false;
	for (uint32_t i = 0; i < groups->count; i++) {
		uint32_t end = i + 1 < groups->count ? firsts[i + 1] : size;
		for (uint32_t j = firsts[i]; j < end; j++)
			groups->members[seats[j].number].group = groups->groups[i];
	}
	return true;
}

static bool fill(struct rt_groups *groups, const struct seat *seats, uint32_t group_size)
{
	uint32_t size = groups->key.size, *firsts = calloc(size, sizeof(*firsts));
	bool good = firsts != NULL;

	groups->members = calloc(size, sizeof(*groups->members));
	groups->order = calloc(size, sizeof(*groups->order));
	good = good && groups->members != NULL && groups->order != NULL;
	for (uint32_t i = 0; good && i < size; i++)
		groups->order[i] = seats[i].number;
	good = good && make_groups(groups, seats, group_size, firsts);
	free(firsts);
	if (!good)
		return false;
	link_groups(groups, group_size);
	for (uint32_t tree = 0; tree < RT_GROUP_TREES; tree++)
		if (!make_tree(groups, tree, group_size))
			return false;
	return true;
}

struct rt_groups *rt_groups_new(
    const struct rt_groups_key *key, const struct rt_site *sites, uint32_t group_size)
{
	CHECK(key->size > 0 && group_size >= 2, "the team and its groups have members");

	struct rt_groups *groups = calloc(1, sizeof(*groups));
	struct seat *seats = sorted_seats(key->size, sites);

	if (groups != NULL && seats != NULL) {
		groups->key = *key;
		if (fill(groups, seats, group_size)) {
			free(seats);
			return groups;
		}
	}
	if (groups != NULL)
		free_one(groups);
	free(seats);
	return NULL;
}

/* Of the trees whose members all arrive, whatever constructs the program has. */
static bool are_whole(const struct rt_groups *groups)
{
	for (uint32_t i = 0; i < groups->count; i++) {
		const struct rt_group_node *leaves = groups->groups[i]->leaves;
		if (load_relaxed(&leaves[RT_GROUP_BARRIER].missing) !=
			leaves[RT_GROUP_BARRIER].children ||
		    load_relaxed(&leaves[RT_GROUP_JOIN].missing) != leaves[RT_GROUP_JOIN].children)
			return false;
	}
	return true;
}

void rt_groups_begin_use(
    struct rt_groups *groups, uint64_t region, uint32_t generation, uint32_t single_turn)
{
	CHECK(are_whole(groups), "no member is inside");
	for (uint32_t i = 0; i < groups->count; i++) {
		store_relaxed(&groups->groups[i]->begin.region, region);
		store_relaxed(&groups->groups[i]->generation, generation);
		store_relaxed(&groups->groups[i]->leaves[RT_GROUP_BARRIER].claimed, single_turn);
	}
	for (uint32_t i = 0; i < groups->block_count; i++) {
		const struct rt_group_block *block = &groups->blocks[i];
		for (uint32_t j = 0; j < block->inners; j++)
			store_relaxed(&block->inner[RT_GROUP_BARRIER * block->inners + j].claimed,
			    single_turn);
	}
}

static void reset_nodes(struct rt_group_node *nodes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		store_relaxed(&nodes[i].missing, nodes[i].children);
}

void rt_groups_reset(struct rt_groups *groups, uint32_t generation)
{
	for (uint32_t i = 0; i < groups->count; i++) {
		reset_nodes(groups->groups[i]->leaves, RT_GROUP_TREES);
		store_relaxed(&groups->groups[i]->generation, generation);
	}
	for (uint32_t i = 0; i < groups->block_count; i++)
		reset_nodes(groups->blocks[i].inner, RT_GROUP_TREES * groups->blocks[i].inners);
}

bool rt_group_arrive(struct rt_group_node *leaf)
{
	struct rt_group_node *node = leaf;

	do {
		if (sub_acq_rel(&node->missing, 1) != 1)
			return false;
		store_relaxed(&node->missing, node->children);
		node = node->parent;
	} while (node != NULL);
	return true;
}

/*
 * The first member that claims at a node goes on to its parent; the root's word is the team's
 * count. A node may lag behind in two ways. Before the region's first construct, its count may be
 * of an earlier region, in which not all members came to as many constructs. Later, each member
 * comes to each construct in turn, so a neighbour has claimed the previous one at the node below
 * and is about to claim it here; to overtake the neighbour would take its block from it.
 */
bool rt_group_claim(
    struct rt_group_node *leaf, _Atomic uint32_t *all, uint32_t first, uint32_t turn)
{
	CHECK((int32_t)(turn - first) >= 0,
	    "the region's constructs are counted from its first one on");

	enum { LOOKS = 64 };

	for (struct rt_group_node *node = leaf; node != NULL; node = node->parent) {
		_Atomic uint32_t *word = node->parent != NULL ? &node->claimed : all;
		uint32_t seen = load_relaxed(word), looks = 0;
		while (turn != first && (int32_t)(seen - turn) < 0) {
			if (++looks % LOOKS == 0)
				sched_yield();
			else
				rt_pause();
			seen = load_relaxed(word);
		}
		if ((int32_t)(seen - turn) > 0 || !cas_relaxed(word, &seen, turn + 1))
			return false;
	}
	return true;
}

static void open_with(struct rt_group *group, uint32_t generation, void *carried)
{
	if (load_relaxed(&group->carried) != carried)
		store_relaxed(&group->carried, carried);
	store_release(&group->generation, generation);
}

void rt_group_note_open(struct rt_group *group, uint32_t generation, void *carried)
{
	/* Acquire: if another member has noted it, this one sees what the barrier carries, too. */
	if (load_acquire(&group->generation) != generation)
		open_with(group, generation, carried);
}

void rt_group_open(struct rt_group *group, uint32_t generation, void *carried)
{
	open_with(group, generation, carried);
	rt_event_notify_one(&group->event);
}

void rt_groups_open(struct rt_groups *groups, uint32_t generation, void *carried)
{
	for (uint32_t i = 0; i < groups->firsts; i++)
		rt_group_open(groups->first_groups[i], generation, carried);
}

void rt_group_begin(struct rt_group *group, const struct rt_region_begin *begin, uint64_t region)
{
	struct rt_region_begin *copy = &group->begin;

	copy->fn = begin->fn;
	copy->data = begin->data;
	copy->icvs = begin->icvs;
	copy->parent_task = begin->parent_task;
	copy->serial = begin->serial;
	copy->single_base = begin->single_base;
	copy->has_loop = begin->has_loop;
	copy->has_reductions = begin->has_reductions;
	copy->is_bound = begin->is_bound;
	store_release(&copy->region, region);
	rt_event_notify_one(&group->event);
}

void rt_groups_begin(struct rt_groups *groups, const struct rt_region_begin *begin, uint64_t region)
{
	for (uint32_t i = 0; i < groups->firsts; i++)
		rt_group_begin(groups->first_groups[i], begin, region);
}

/*
 * A group first joins the count and then sets its flag `counted`; it clears the flag before it
 * leaves the count. A thread that finds the group counted may sleep, until the last thread to leave
 * the group clears the flag. That thread then looks for sleepers that have come meanwhile and
 * relied on the flag. If there are any, it counts the group again and wakes them, since what they
 * wait for may have happened while the group was not counted. These sleepers may have left by then,
 * and found the group not counted; then no other thread would end the count, so the loop continues.
 *
 * Who sees what:
 *   team_sleepers  sequential when it grows: either a notifier sees the count, or the sleeper sees
 *                  what the notifier did. Relaxed when it shrinks: only the number matters
 *   counted        sequential load and exchange for 0, with the announcement before the load and
 *                  the look at `sleepers` after the exchange: of a thread that comes and the last
 *                  thread to leave, one sees the other. The exchange for 1 is acq_rel: a thread
 *                  that finds 1 is ordered after the growth of the team's count; and the thread
 *                  that sets it is ordered after the one that has left and found 0, so that its
 *                  last look sees that one gone (relaxed)
 */
static void count_group(struct rt_group *group, _Atomic uint32_t *team_sleepers)
{
	if (load_sequential(&group->counted) != 0)
		return;
	add_sequential(team_sleepers, 1);
	if (exchange_acq_rel(&group->counted, 1) != 0)
		sub_relaxed(team_sleepers, 1);
}

static void leave(struct rt_group *group, _Atomic uint32_t *team_sleepers)
{
	uint32_t sleepers = sub_relaxed(&group->event.sleepers, 1);

	CHECK(sleepers > 0, "the thread has announced itself");
	if (sleepers != 1)
		return;
	do {
		if (exchange_sequential(&group->counted, 0) == 0)
			return;
		sub_relaxed(team_sleepers, 1);
		if (load_sequential(&group->event.sleepers) == 0)
			return;
		count_group(group, team_sleepers);
		rt_event_wake(&group->event, INT32_MAX);
	} while (load_relaxed(&group->event.sleepers) == 0);
}

uint32_t rt_group_announce(struct rt_group *group, _Atomic uint32_t *team_sleepers)
{
	uint32_t ticket = rt_event_announce(&group->event);

	count_group(group, team_sleepers);
	return ticket;
}

void rt_group_withdraw(struct rt_group *group, _Atomic uint32_t *team_sleepers)
{
	leave(group, team_sleepers);
}

void rt_group_sleep(struct rt_group *group, _Atomic uint32_t *team_sleepers, uint32_t ticket)
{
	rt_futex_wait(&group->event.count, ticket);
	leave(group, team_sleepers);
}

void rt_groups_wake(struct rt_groups *list)
{
	for (; list != NULL; list = list->other)
		for (uint32_t i = 0; i < list->count; i++)
			rt_event_notify(&list->groups[i]->event);
}

/*
 * The load of a group's sleepers is sequential, like all such loads. No test shows that it has to
 * be: that would take a group whose last member leaves while another one comes, beside a second
 * group.
 */
bool rt_groups_wake_one(struct rt_groups *groups, uint32_t first)
{
	for (uint32_t i = 0; i < groups->count; i++) {
		struct rt_event *event = &groups->groups[(first + i) % groups->count]->event;
		if (load_sequential(&event->sleepers) == 0)
			continue;
		add_release(&event->count, 1); /* as rt_event_wake() */
		if (rt_futex_wake(&event->count, 1) > 0)
			return true;
	}
	return false;
}
