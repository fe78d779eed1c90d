/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The members of a large team in groups of neighbours: how a barrier is passed, a region begun,
 * sleepers woken, a `single` construct claimed and a slot left without a line that all members
 * watch or write. What the groups do has a word in the team as well, which decides; the words here
 * say the same a little later, or keep off it those who would change nothing.
 *
 * Groups form a tree. Each has a line that its members watch. The thread that opens a barrier or
 * begins a region writes the lines of the first groups, one a socket; each member that leaves its
 * wait writes the line of one further group, if it has one, and wakes that group's sleepers. So no
 * line has more readers than a group has members, no thread wakes more than that at once, and
 * between sockets each release goes once to each. Arrivals climb counters along the same groups,
 * and so do claims, of which only a group's first goes on.
 *
 * Who sees what:
 *   missing     acq_rel: the last child of a node sees all that its siblings wrote before they
 *               arrived, and passes it up. Reset by that child, relaxed: no member touches the node
 *               again before it has seen the barrier open
 *   claimed     relaxed: it divides who executes a block, and publishes nothing
 *   region, generation
 *               release by the one member that passes it on (generation: also by a member of the
 *               group that saw the team's word first; the value is the same, and that of
 *               `carried`), pairs with the acquire of the group's members. What else is in the
 *               line of `region` is written before, and not again before all members of that
 *               region have joined
 *   the event   a sleeper announces itself sequentially and then reads the team's own word, not its
 *               group's. That was stored sequentially before the word of any group, and happened
 *               before all that is done by those who know of it; so who passes it on and finds no
 *               sleeper looked before the announcement, and the sleeper sees the team's word. Who
 *               passes it on wakes one sleeper, and every member that leaves the wait, asleep
 *               before or not, wakes the others of its group: one that leaves early may sleep
 *               again, for something later, in front of one that has announced itself and only
 *               then sleeps, and take its wake-up. That one's announcement came before the team's
 *               word, so who leaves finds it
 */
#ifndef RT_GROUPS_H
#define RT_GROUPS_H
#include <stdbool.h>

#include "atomics.h"
#include "places.h"
#include "processor.h"
#include "topology.h"
#include "wait.h"
#include "workshare.h"

struct rt_task;
struct rt_task_icvs;

typedef void rt_region_fn(void *data);

/*
 * All that a worker needs to begin, in the line that it watches: of the team, or of its group.
 *   region  low half: regions so far, high half: size of the current
 *   fn      this and its argument: where there are workers, or no request
 *   icvs    what implicit tasks start with
 *   serial  constructs with a slot before this region; see struct rt_loop
 *   single_base
 *           `single` constructs before this region
 *   has_loop, has_reductions
 *           the team's loop_args and reductions are valid
 *   is_bound
 *           members have places, and ICVs of their own for their partition
 */
#define RT_REGION_BEGIN                                                                            \
	_Atomic uint64_t region;                                                                   \
	rt_region_fn *fn;                                                                          \
	void *data;                                                                                \
	struct rt_task_icvs *icvs;                                                                 \
	struct rt_task *parent_task;                                                               \
	uint32_t serial;                                                                           \
	uint32_t single_base;                                                                      \
	bool has_loop;                                                                             \
	bool has_reductions;                                                                       \
	bool is_bound;

struct rt_region_begin {
	RT_REGION_BEGIN
};

/* A counter of arrivals: of the members of a group, or of nodes below. */
struct rt_group_node {
	RT_PADDED _Atomic uint32_t missing; /* children that have not arrived */
	uint32_t children;
	/* `single` constructs that somebody below has claimed, over all regions. */
	_Atomic uint32_t claimed;
	struct rt_group_node *parent; /* NULL: the root */
};

/* Each group is a leaf of each of these trees of counters. */
enum rt_group_tree {
	RT_GROUP_BARRIER,
	RT_GROUP_JOIN,
	RT_GROUP_SLOT, /* the first of RT_WORKSHARES: who has left what a slot serves */
	RT_GROUP_TREES = RT_GROUP_SLOT + RT_WORKSHARES,
};

struct rt_group {
	RT_PADDED struct rt_region_begin begin; /* of the last region that was passed on */
	_Atomic uint32_t generation;            /* of the last barrier that was */
	_Atomic(void *) carried;                /* what its members find behind that barrier */
	/*
	 * Where its members sleep. counted: 1 while the team's number of sleepers has one for this
	 * group; see rt_group_announce().
	 */
	RT_PADDED struct rt_event event;
	_Atomic uint32_t counted;
	uint32_t number;
	struct rt_group_node leaves[RT_GROUP_TREES];
};

/* What one member has to do with the groups; constant. */
struct rt_group_member {
	struct rt_group *group;
	struct rt_group *next; /* to which it passes on what it has seen; NULL: to none */
	/* Runs of rt_groups.order: its group and its socket. */
	uint32_t group_first, group_size;
	uint32_t socket_first, socket_size;
};

/* What groups follow from. */
struct rt_groups_key {
	uint32_t size; /* of the team */
	uint8_t bind;  /* enum rt_bind; RT_BIND_FALSE: the members have no places */
	struct rt_placement primary;
};

/* Neighbouring groups of one socket and node, and the counters above them, in one memory. */
struct rt_group_block {
	uint32_t first, count; /* of groups */
	void *memory;          /* first the groups, see home.h */
	size_t bytes;
	bool has_pages;
	struct rt_group_node *inner; /* `inners` of each tree, one tree after the other */
	uint32_t inners, taken;      /* taken: of the tree that is being made */
};

/* One division of a team; constant but for what the groups and nodes hold. */
struct rt_groups {
	struct rt_groups *other; /* another division of the same team, NULL: none */
	struct rt_groups_key key;
	uint32_t count; /* of groups */
	struct rt_group **groups;
	uint32_t firsts; /* groups that the thread which opens a barrier writes, first_groups */
	struct rt_group **first_groups;
	uint32_t block_count;
	struct rt_group_block *blocks;
	struct rt_group_member *members; /* by number */
	uint32_t *order; /* the numbers of all members, neighbours in the machine together */
};

/*
 * Groups of up to group_size members (2 or more) for a team of key->size. sites has one for each
 * member, by number; NULL: nothing is known of where they are, and neighbours in number count as
 * neighbours. A group lies within one socket, and within one cache where that leaves no small ones.
 * NULL: no memory.
 */
struct rt_groups *rt_groups_new(
    const struct rt_groups_key *key, const struct rt_site *sites, uint32_t group_size);
/* Frees all divisions of a team, of which the list is given; NULL is an empty list. */
void rt_groups_free(struct rt_groups *list);

/*
 * The team uses this division from its next region on; no member is in a region. It begins with
 * what the team's own words hold.
 */
void rt_groups_begin_use(
    struct rt_groups *groups, uint64_t region, uint32_t generation, uint32_t single_turn);
/* After a cancelled region, which may have left it half used; no member is inside. */
void rt_groups_reset(struct rt_groups *groups, uint32_t generation);

/* The member's group; NULL: the team is not divided, or not so far. */
static inline struct rt_group *rt_group_of(const struct rt_groups *groups, uint32_t number)
{
	return likely(groups == NULL) || number >= groups->key.size ? NULL
								    : groups->members[number].group;
}

/* Where the member arrives: the leaf of its group; `tree` is of enum rt_group_tree. */
static inline struct rt_group_node *rt_group_leaf(
    const struct rt_groups *groups, uint32_t number, uint32_t tree)
{
	return &groups->members[number].group->leaves[tree];
}

/* As rt_barrier_arrive(), by the member's leaf. */
bool rt_group_arrive(struct rt_group_node *leaf);

/*
 * Does the member execute the block of the `single` construct number `turn`? It moves *all, the
 * team's count, from `turn` to the next one if it is the first of all members. `leaf` is that of
 * the barrier; `first` is the number of the region's first such construct. Waits for a neighbour
 * that has claimed the construct before for the group, and not yet for more.
 */
bool rt_group_claim(
    struct rt_group_node *leaf, _Atomic uint32_t *all, uint32_t first, uint32_t turn);

/*
 * Passes an open barrier on to one group, or to the first ones; of a group's sleepers one is woken.
 * Every member that leaves the wait then has to call rt_group_wake_rest().
 */
void rt_group_open(struct rt_group *group, uint32_t generation, void *carried);
void rt_groups_open(struct rt_groups *groups, uint32_t generation, void *carried);
/* By a member that knows from elsewhere that the barrier is open: its own group's word says so,
 * too. */
void rt_group_note_open(struct rt_group *group, uint32_t generation, void *carried);

/* The same for the region that `begin` describes. */
void rt_group_begin(struct rt_group *group, const struct rt_region_begin *begin, uint64_t region);
void rt_groups_begin(
    struct rt_groups *groups, const struct rt_region_begin *begin, uint64_t region);

/* By a member that leaves the wait, also one that opened the barrier: others that sleep. */
static inline void rt_group_wake_rest(struct rt_group *group)
{
	rt_event_notify(&group->event);
}

/*
 * As rt_event_announce(), rt_event_withdraw() and rt_event_sleep(), for the group's event. While
 * the group may have sleepers it is counted once in *team_sleepers, which is all that a thread
 * without news for this group alone looks at.
 */
uint32_t rt_group_announce(struct rt_group *group, _Atomic uint32_t *team_sleepers);
void rt_group_withdraw(struct rt_group *group, _Atomic uint32_t *team_sleepers);
void rt_group_sleep(struct rt_group *group, _Atomic uint32_t *team_sleepers, uint32_t ticket);

/* Wakes all sleepers of all divisions in the list. */
void rt_groups_wake(struct rt_groups *list);
/* Wakes one sleeper, in the group number `first` or in one that follows it. False: none sleeps. */
bool rt_groups_wake_one(struct rt_groups *groups, uint32_t first);

#endif
