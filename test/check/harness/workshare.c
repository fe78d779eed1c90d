/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slots of work-sharing constructs: all members get the same slot for a construct, the slot is
 * as new when it serves another construct, and a member that is ahead of it gets an extra slot.
 * What one member makes for all is made once and seen by the others. What the members keep in a
 * slot is plain data, so each missing order is a data race. Three members within a preemption, and
 * at random if one is far ahead.
 */
#include <stdlib.h>

#include "check.h"
#include "loops.h"
#include "team-by-hand.h"

enum { CONSTRUCTS = 3 * RT_WORKSHARES };

static const struct rt_workshare *used[2][CONSTRUCTS]; /* by member and construct */
static int made;

/* One construct: the member that comes first makes its memory, which all read. */
static void construct(struct rt_thread *self)
{
	struct rt_workshare *share = rt_workshare_enter(self);

	EXPECT(load_relaxed(&share->turn) == 0 && share->posts == NULL);
	if (rt_workshare_prepare(self, share)) {
		EXPECT(share->memory == NULL);
		share->memory = malloc(sizeof(int));
		*(int *)share->memory = 1;
		made++;
		rt_workshare_prepared(share);
	}
	EXPECT(*(int *)share->memory == 1);
	rt_workshare_leave(self);
}

static void prepare_one(void *argument)
{
	(void)argument;
	construct(hand_team_enter());
}

static void pair(void)
{
	hand_team_run(2, prepare_one);
	EXPECT(made == 1);
}
HARNESS(workshare_pair, "one of two members makes what both use") = {.run = pair, .spurious = 1};

static void three(void)
{
	hand_team_run(3, prepare_one);
	EXPECT(made == 1);
}
HARNESS(workshare_three, "one of three members makes what all use") = {
    .run = three, .preemptions = 1};

/* A construct whose slot the members use without waiting for each other. */
static void pass(struct rt_thread *self)
{
	struct rt_workshare *share = rt_workshare_enter(self);
	uint32_t serial = self->member->loop.serial - 1;

	used[self->number][serial] = share;
	EXPECT(add_relaxed(&share->next_iteration, 1) < self->team->size);
	rt_workshare_leave(self);
}

static void pass_many(struct rt_thread *self, uint32_t count)
{
	while (count-- > 0)
		pass(self);
}

/* The other member does its first constructs while the first one needs their slots again. */
static void follow(void *argument)
{
	pass_many(hand_team_enter(), RT_WORKSHARES + *(uint32_t *)argument);
}

static void ahead(uint32_t more)
{
	struct rt_thread *self;

	hand_no_spinning();
	hand_team_new(2);
	self = hand_team_enter();
	pass_many(self, RT_WORKSHARES);
	check_start(follow, &more);
	pass_many(self, more);
	check_join();
	for (uint32_t i = 0; i < RT_WORKSHARES + more; i++)
		EXPECT(used[0][i] == used[1][i]);
	for (uint32_t i = 0; i < RT_WORKSHARES; i++)
		EXPECT(load_relaxed(&self->team->workshares[i].next_iteration) == 0);
	EXPECT(self->team->extras.count == 0);
}

static void ring(void)
{
	ahead(1);
}
HARNESS(workshare_ring, "a slot is needed again while a member may still use it") = {.run = ring};

static void extra(void)
{
	ahead(2);
}
HARNESS(workshare_extra, "two slots are needed again while a member may still use them") = {
    .run = extra, .random_runs = 6000};

/* A round and more ahead: the slot in turn skips the constructs that have extra ones. */
static void far(void)
{
	ahead(RT_WORKSHARES + 1);
}
HARNESS(workshare_far_ahead, "a member is more constructs ahead than there are slots") = {
    .run = far, .random_runs = 4000};
