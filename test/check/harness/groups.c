/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of a divided team: its barrier and the end of its region as members pass them, the begin
 * of a region that is passed from group to group, single constructs, and members that sleep at
 * their group while a thread that notifies the whole team reads only one count. The harness
 * constructs the team, of three or five members in groups of two; a thread may arrive for a member
 * that has nothing else to do. Two preemptions unless a harness says otherwise; barriers at random,
 * because a run of them takes a thousand steps.
 */
#include <stdlib.h>

#include "check.h"
#include "groups.h"
#include "process.h"
#include "team.h"
#include "teams.h"

enum { MOST = 5, ROUNDS = 2 };

static struct rt_team team;
static struct rt_thread threads[MOST];
static struct rt_member members[MOST];
static int written[ROUNDS][MOST];
static _Atomic uint32_t conditions[2];

/* Waits sleep at once and do not compare where members are. */
static struct rt_groups *divide(uint32_t size)
{
	struct rt_groups_key key = {.size = size};
	struct rt_groups *groups = rt_groups_new(&key, NULL, 2);

	EXPECT(groups != NULL);
	EXPECT(rt_barrier_resize(&team.barrier, size) && rt_barrier_resize(&team.join, size));
	rt_process.spin_count = 0;
	rt_process.wait_policy = RT_WAIT_PASSIVE;
	team.size = size;
	rt_groups_begin_use(groups, 0, 0, 0);
	store_relaxed(&team.divisions, groups);
	store_relaxed(&team.groups, groups);
	for (uint32_t i = 0; i < size; i++) {
		members[i].team = &team;
		members[i].number = i;
		rt_task_init_implicit(&members[i].implicit, &team, NULL, 1, NULL);
		threads[i].team = &team;
		threads[i].member = &members[i];
		threads[i].number = i;
		threads[i].task = threads[i].tied = &members[i].implicit;
	}
	return groups;
}

static struct rt_thread *become(uint32_t number)
{
	return rt_current = &threads[number];
}

/* What a thread does: it is the member `self`, and arrives for one more if `other` is another. */
struct part {
	uint32_t self, other, rounds;
};

static void pass_barriers(void *argument)
{
	const struct part *part = argument;
	struct rt_thread *self = become(part->self);

	for (uint32_t round = 0; round < part->rounds; round++) {
		written[round][part->self] = written[round][part->other] = 1;
		if (part->other != part->self)
			EXPECT(!rt_group_arrive(rt_group_leaf(
			    load_relaxed(&team.groups), part->other, RT_GROUP_BARRIER)));
		EXPECT(!rt_team_barrier(self));
		for (uint32_t i = 0; i < team.size; i++)
			EXPECT(written[round][i] == 1);
	}
}

static void run_parts(void (*body)(void *), struct part *parts, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		check_start(body, &parts[i]);
	body(&parts[0]);
	check_join();
	EXPECT(load_relaxed(&team.event.sleepers) == 0);
}

static void barrier_of_three(void)
{
	struct part parts[] = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}};

	divide(3);
	run_parts(pass_barriers, parts, 3);
}
HARNESS(groups_barrier, "three members of two groups pass a barrier") = {
    .run = barrier_of_three, .random_runs = 3000};

/* The other group's member may be at the second barrier before this one has left the first. */
static void barriers_of_three(void)
{
	struct part parts[] = {{0, 1, 2}, {2, 2, 2}};

	divide(3);
	run_parts(pass_barriers, parts, 2);
}
HARNESS(groups_barrier_twice, "two threads of two groups pass a barrier twice") = {
    .run = barriers_of_three, .random_runs = 3000};

/* The third group gets the value from member 0. */
static void barrier_of_five(void)
{
	struct part parts[] = {{0, 1, 1}, {2, 3, 1}, {4, 4, 1}};

	divide(MOST);
	run_parts(pass_barriers, parts, 3);
}
HARNESS(groups_barrier_chain, "a barrier's opening goes from group to group") = {
    .run = barrier_of_five, .random_runs = 3000};

static void join(void *argument)
{
	const struct part *part = argument;
	struct rt_thread *self = become(part->self);

	written[0][part->self] = 1;
	rt_team_join(self);
	for (uint32_t i = 0; part->self == 0 && i < team.size; i++)
		EXPECT(written[0][i] == 1);
}

static void join_of_three(void)
{
	struct part parts[] = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}};

	divide(3);
	run_parts(join, parts, 3);
}
HARNESS(groups_join, "the forking thread waits for members of two groups") = {
    .run = join_of_three, .preemptions = 2};

/* A region's begin, as workers wait for it; `data` is one more for each region. */
static const struct rt_region_begin *wait_for_region(struct rt_thread *self)
{
	struct rt_group *group = rt_group_of(load_acquire(&team.groups), self->number);
	uint64_t seen = self->member->seen;

	for (;;) {
		uint32_t ticket;

		if (load_acquire(&group->begin.region) != seen)
			return &group->begin;
		if (load_acquire(&team.region) != seen)
			return &team.begin;
		ticket = rt_group_announce(group, &team.event.sleepers);
		if (load_sequential(&team.region) != seen)
			rt_group_withdraw(group, &team.event.sleepers);
		else
			rt_group_sleep(group, &team.event.sleepers, ticket);
	}
}

static void work(void *argument)
{
	const struct part *part = argument;
	struct rt_thread *self = become(part->self);
	const struct rt_group_member *own = &load_relaxed(&team.groups)->members[part->self];
	const struct rt_region_begin *line = wait_for_region(self);
	uint64_t region = load_acquire(&line->region);

	rt_group_wake_rest(own->group);
	if (own->next != NULL)
		rt_group_begin(own->next, line, region);
	EXPECT(line->data == &team && line->serial == 1);
}

static void begin_region(void)
{
	static struct part parts[] = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}};
	struct rt_groups *groups = divide(3);

	check_start(work, &parts[1]);
	check_start(work, &parts[2]);
	team.data = &team;
	team.serial = 1;
	store_sequential(&team.region, UINT64_C(3) << 32 | 1);
	rt_groups_begin(groups, &team.begin, UINT64_C(3) << 32 | 1);
	work(&parts[0]);
	check_join();
	EXPECT(load_relaxed(&team.event.sleepers) == 0);
}
HARNESS(groups_begin, "workers of two groups wait for a region") = {
    .run = begin_region, .preemptions = 2};

/* As begin_region(), with a group that a worker has to begin for another. */
static void begin_in_chain(void)
{
	static struct part parts[] = {{0, 0, 1}, {1, 1, 1}, {4, 4, 1}};
	struct rt_groups *groups = divide(MOST);

	check_start(work, &parts[2]);
	team.data = &team;
	team.serial = 1;
	store_sequential(&team.region, UINT64_C(5) << 32 | 1);
	rt_groups_begin(groups, &team.begin, UINT64_C(5) << 32 | 1);
	work(&parts[0]);
	check_join();
	EXPECT(load_relaxed(&team.event.sleepers) == 0);
}
HARNESS(groups_begin_chain, "a region's begin goes from group to group") = {.run = begin_in_chain};

/* The member that executes the block of each of two single constructs; both threads come to both.
 */
static void claim(void *argument)
{
	const struct part *part = argument;
	struct rt_group_node *leaf =
	    rt_group_leaf(load_relaxed(&team.groups), part->self, RT_GROUP_BARRIER);

	for (uint32_t turn = 0; turn < part->rounds; turn++)
		if (rt_group_claim(leaf, &team.single_turn, 0, turn))
			written[turn][part->self] = 1;
}

static void check_claims(uint32_t rounds)
{
	for (uint32_t turn = 0; turn < rounds; turn++) {
		int count = 0;

		for (uint32_t i = 0; i < MOST; i++)
			count += written[turn][i];
		EXPECT(count == 1);
	}
	EXPECT(load_relaxed(&team.single_turn) == rounds);
}

static void claim_in_one(void)
{
	struct part parts[] = {{0, 0, 2}, {1, 1, 2}};

	divide(3);
	run_parts(claim, parts, 2);
	check_claims(2);
}
HARNESS(groups_single, "two members of one group claim two single constructs") = {
    .run = claim_in_one, .preemptions = 3};

static void claim_in_two(void)
{
	struct part parts[] = {{0, 0, 2}, {2, 2, 2}};

	divide(3);
	run_parts(claim, parts, 2);
	check_claims(2);
}
HARNESS(groups_single_apart, "members of two groups claim two single constructs") = {
    .run = claim_in_two, .preemptions = 3};

/* Sleeps at its group for something that is notified of at the team. */
static void wait_for(const struct part *part)
{
	struct rt_group *group = rt_group_of(load_relaxed(&team.groups), part->self);
	_Atomic uint32_t *condition = &conditions[part->other];

	while (load_sequential(condition) == 0) {
		uint32_t ticket = rt_group_announce(group, &team.event.sleepers);

		if (load_sequential(condition) != 0)
			rt_group_withdraw(group, &team.event.sleepers);
		else
			rt_group_sleep(group, &team.event.sleepers, ticket);
	}
	EXPECT(written[0][part->other] == 1);
}

static void wait_for_one(void *argument)
{
	wait_for(argument);
}

static void make_true(uint32_t condition)
{
	written[0][condition] = 1;
	store_sequential(&conditions[condition], 1);
	rt_team_notify(&team);
}

static void sleep_for_one(void)
{
	static struct part parts[] = {{0, 0, 1}};

	divide(3);
	check_start(wait_for_one, &parts[0]);
	make_true(0);
	check_join();
	EXPECT(load_relaxed(&team.event.sleepers) == 0);
}
HARNESS(groups_sleep, "a member sleeps at its group until the team is notified") = {
    .run = sleep_for_one, .spurious = 1};

static void sleep_for_two(void)
{
	static struct part parts[] = {{0, 0, 1}, {1, 1, 1}};

	divide(3);
	check_start(wait_for_one, &parts[0]);
	check_start(wait_for_one, &parts[1]);
	make_true(0);
	make_true(1);
	check_join();
	EXPECT(load_relaxed(&team.event.sleepers) == 0);
}
HARNESS(groups_sleep_two, "two members of a group sleep, one for longer than the other") = {
    .run = sleep_for_two, .preemptions = 2};

/* One that sleeps leaves, for a condition that is true soon, while another one comes. */
static void sleep_and_leave(void *argument)
{
	const struct part *part = argument;
	struct rt_group *group = rt_group_of(load_relaxed(&team.groups), part->self);

	(void)rt_group_announce(group, &team.event.sleepers);
	rt_group_withdraw(group, &team.event.sleepers);
}

static void leave_and_come(void)
{
	static struct part parts[] = {{0, 0, 1}, {1, 0, 1}};

	divide(3);
	check_start(wait_for_one, &parts[0]);
	check_start(sleep_and_leave, &parts[1]);
	make_true(0);
	check_join();
	EXPECT(load_relaxed(&team.event.sleepers) == 0);
}
HARNESS(groups_sleep_leaving, "a member of a group sleeps while another one leaves") = {
    .run = leave_and_come, .preemptions = 2};

/* Both have seen the barrier open by the team's word, and note it in their group. */
static void note_open(void *argument)
{
	struct rt_group *group = rt_group_of(load_relaxed(&team.groups), 0);

	(void)argument;
	rt_group_note_open(group, 1, &conditions);
	EXPECT(load_relaxed(&group->carried) == &conditions);
}

static void note_open_twice(void)
{
	divide(3);
	check_start(note_open, NULL);
	note_open(NULL);
	check_join();
}
HARNESS(
    groups_note_open, "two members of a group note that a barrier is open, and what it carries") = {
    .run = note_open_twice};
