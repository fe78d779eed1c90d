/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Divides the members of a large team into groups of neighbours, so that no line is watched or
 * written by all members when they pass a barrier, begin a region, wake sleepers, claim a `single`
 * construct or leave a slot. For each of these the team has a word of its own as well, and that
 * word decides. The words here repeat it a little later, or keep members that would change nothing
 * away from it.
 *
 * Groups form a tree. Each group has a line that its members watch. The thread that opens a barrier
 * or begins a region writes the lines of the first groups, one a socket; each member that leaves
 * its wait writes the line of at most one further group and wakes the sleepers of that group. So a
 * line has no more readers than a group has members, no thread wakes more threads than that at
 * once, and each release crosses to each socket once. Arrivals climb counters along the same
 * groups, and so do claims, of which only the first of a group climbs on.
 *
 * Who sees what:
 *   missing    acq_rel: the last child of a node sees all that its siblings wrote before they
 *              arrived, and passes it up. That child resets the counter, relaxed: no member touches
 *              the node again before it has seen the barrier open
 *   claimed    relaxed: it decides who executes a block, and publishes nothing
 *   region, generation
 *              release by the one member that passes the value on, pairs with the acquire of the
 *              group's members. A member of the group that saw the team's word first also stores
 *              generation, with the same value and the same `carried`. The rest of the line of
 *              `region` is written before `region`, and not again before all members of that region
 *              have joined
 *   the event  a sleeper announces itself sequentially and then reads the team's own word, not the
 *              word of its group. The team's word was stored sequentially before the word of any
 *              group, and that store happened before all that a thread does once it has seen the
 *              value. So if the member that passes the value on finds no sleeper, it looked before
 *              the announcement, and the sleeper sees the team's word. The member that passes the
 *              value on wakes one sleeper, and every member that leaves the wait, whether it slept
 *              or not, wakes the others of its group. This is needed because a member that leaves
 *              early may sleep again, for a later event, while another one has announced itself but
 *              does not sleep yet, and may then take the wake-up meant for the other. The other one
 *              announced itself before the store to the team's word, so each member that leaves
 *              finds it
 */
#ifndef RT_GROUPS_H
#define RT_GROUPS_H
#include <stdbool.h>

#include "atomics.h"
#include "places.h"
#include "processor-code.h"
#include "shared/precondition.h"
#include "topology.h"
#include "wait.h"
#include "workshare.h"

struct rt_task;
struct rt_task_icvs;

typedef void rt_region_fn(void *data);

/*
 * All that a worker needs to begin, in the line that it watches (the team's or its group's).
 *   region       low half: number of regions so far, high half: size of the current one
 *   fn           this and its argument are set if there are workers or no request
 *   icvs         what implicit tasks start with
 *   serial       number of constructs with a slot before this region; see struct rt_loop
 *   single_base  number of `single` constructs before this region
 *   has_loop, has_reductions
 *                the team's loop_args and reductions are valid
 *   is_bound     members have places, and ICVs of their own for their partition
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

/* Counts arrivals: of the members of a group, or of the nodes below. */
struct rt_group_node {
	RT_PADDED _Atomic uint32_t missing; /* children that have not arrived */
	uint32_t children;
	/* `single` constructs that a member below has claimed, over all regions. */
	_Atomic uint32_t claimed;
	struct rt_group_node *parent; /* NULL: the root */
};

/* Each group is a leaf of each of these trees of counters. */
enum rt_group_tree {
	RT_GROUP_BARRIER,
	RT_GROUP_JOIN,
	RT_GROUP_SLOT, /* the first of RT_WORKSHARES: counts members that have left a slot */
	RT_GROUP_TREES = RT_GROUP_SLOT + RT_WORKSHARES,
};

struct rt_group {
	RT_PADDED struct rt_region_begin begin; /* of the last region that was passed on */
	_Atomic uint32_t generation;            /* of the last barrier that was passed on */
	_Atomic(void *) carried;                /* what its members read after that barrier */
	/*
	 * Where its members sleep. counted: 1 while the team's number of sleepers includes this
	 * group; see rt_group_announce().
	 */
	RT_PADDED struct rt_event event;
	_Atomic uint32_t counted;
	uint32_t number;
	struct rt_group_node leaves[RT_GROUP_TREES];
};

_Static_assert(offsetof(struct rt_group, generation) + sizeof(uint32_t) <= PROCESSOR_LINE,
    "a member watches one line");
_Static_assert(offsetof(struct rt_group, event) >= PROCESSOR_APART,
    "members that announce their sleep write to another line");

/* One member's position in the groups; constant. */
struct rt_group_member {
	struct rt_group *group;
	struct rt_group *next; /* the group to which it passes on what it has seen; NULL: none */
	/* Ranges of rt_groups.order: its group and its socket. */
	uint32_t group_first, group_size;
	uint32_t socket_first, socket_size;
};

/* What determines the division into groups. */
struct rt_groups_key {
	uint32_t size; /* of the team */
	uint8_t bind;  /* enum rt_bind; RT_BIND_FALSE: the members have no places */
	struct rt_placement primary;
};

/*
 * Neighbouring groups of one socket and node, and the counters above them, in one block of memory.
 */
struct rt_group_block {
	uint32_t first, count; /* of groups */
	void *memory;          /* first the groups, see home.h */
	size_t bytes;
	bool has_pages;
	struct rt_group_node *inner; /* `inners` of each tree, one tree after the other */
	uint32_t inners, taken;      /* taken: of the tree that is being made */
};

/* One division of a team; constant except for the contents of the groups and nodes. */
struct rt_groups {
	struct rt_groups *other; /* another division of the same team, NULL: none */
	struct rt_groups_key key;
	uint32_t count; /* of groups */
	struct rt_group **groups;
	uint32_t firsts; /* number of first_groups, which the thread that opens a barrier writes */
	struct rt_group **first_groups;
	uint32_t block_count;
	struct rt_group_block *blocks;
	struct rt_group_member *members; /* by number */
	uint32_t *order; /* the numbers of all members; neighbours in the machine are adjacent */
};

/*
 * Makes groups of up to group_size members for a team of key->size. sites has one entry
 * for each member, by number. If it is NULL, nothing is known of where the members are, and members
 * with adjacent numbers count as neighbours. A group lies within one socket, and within one cache
 * unless that makes small groups. Returns NULL if there is no memory.
 */
struct rt_groups *rt_groups_new(
    const struct rt_groups_key *key, const struct rt_site *sites, uint32_t group_size);
/* Frees all divisions of a team, given as a list; NULL is an empty list. */
void rt_groups_free(struct rt_groups *list);

/*
 * Makes the team use this division from its next region on. The division begins with the values of
 * the team's own words.
 */
void rt_groups_begin_use(
    struct rt_groups *groups, uint64_t region, uint32_t generation, uint32_t single_turn);
/*
 * Called after a cancelled region, which may have left counters in an intermediate state; no member
 * is inside.
 */
void rt_groups_reset(struct rt_groups *groups, uint32_t generation);

/* The member's group; NULL: the team is not divided, or the member is not part of the division. */
static inline struct rt_group *rt_group_of(const struct rt_groups *groups, uint32_t number)
{
	return likely(groups == NULL) || number >= groups->key.size ? NULL
								    : groups->members[number].group;
}

/* Where the member arrives: the leaf of its group in `tree` (enum rt_group_tree). */
static inline struct rt_group_node *rt_group_leaf(
    const struct rt_groups *groups, uint32_t number, uint32_t tree)
{
	CHECK(number < groups->key.size, "the member is part of the division");
	CHECK(tree < RT_GROUP_TREES, "there is such a tree");
	return &groups->members[number].group->leaves[tree];
}

/* Like rt_barrier_arrive(), with the member's leaf. */
bool rt_group_arrive(struct rt_group_node *leaf);

/*
 * Returns whether the member executes the block of the `single` construct number `turn`. The first
 * of all members to claim it moves *all, the team's count, from `turn` to the next one. `leaf` is
 * the leaf of the barrier; `first` is the number of the region's first `single` construct. If a
 * neighbour has claimed the previous construct for the group, but not yet further up, the function
 * waits for it.
 */
bool rt_group_claim(
    struct rt_group_node *leaf, _Atomic uint32_t *all, uint32_t first, uint32_t turn);

/*
 * Passes an open barrier on to one group, or to the first groups; wakes one sleeper of each of
 * them. Every member that leaves the wait then has to call rt_group_wake_rest().
 */
void rt_group_open(struct rt_group *group, uint32_t generation, void *carried);
void rt_groups_open(struct rt_groups *groups, uint32_t generation, void *carried);
/*
 * Called by a member that knows from another word that the barrier is open: sets its own group's
 * word, too.
 */
void rt_group_note_open(struct rt_group *group, uint32_t generation, void *carried);

/* The same for the region that `begin` describes. */
void rt_group_begin(struct rt_group *group, const struct rt_region_begin *begin, uint64_t region);
void rt_groups_begin(
    struct rt_groups *groups, const struct rt_region_begin *begin, uint64_t region);

/*
 * Called by each member that leaves the wait, and by the one that opened the barrier: wakes the
 * other sleepers of the group.
 */
static inline void rt_group_wake_rest(struct rt_group *group)
{
	rt_event_notify(&group->event);
}

/*
 * Like rt_event_announce(), rt_event_withdraw() and rt_event_sleep(), for the group's event. While
 * the group may have sleepers it counts as one in *team_sleepers, which is all that a thread reads
 * when it has no news for this group in particular.
 */
uint32_t rt_group_announce(struct rt_group *group, _Atomic uint32_t *team_sleepers);
void rt_group_withdraw(struct rt_group *group, _Atomic uint32_t *team_sleepers);
void rt_group_sleep(struct rt_group *group, _Atomic uint32_t *team_sleepers, uint32_t ticket);

/* Wakes all sleepers of all divisions in the list. */
void rt_groups_wake(struct rt_groups *list);
/*
 * Wakes one sleeper, in the group number `first` or one that follows it. False: no member sleeps.
 */
bool rt_groups_wake_one(struct rt_groups *groups, uint32_t first);

#endif
