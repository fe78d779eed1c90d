/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Schedules: each iteration is executed once, by dynamic, guided and stealing claims, also with
 * those of rt_loop_claim(); the last chunk begins after all others; a thread that finds the loop
 * cancelled sees what was written before. In every order; within a preemption where chunks are
 * stolen.
 */
#include "check.h"
#include "loops.h"
#include "team-by-hand.h"

enum { CANCEL_LOOP = 2, MOST = 40 };

bool GOMP_cancel(int kind, bool condition);
bool GOMP_cancellation_point(int kind);

static int executed[MOST]; /* plain: an iteration that two members have is a data race, too */
static struct rt_loop_args loop_args;
static int found;

static void execute(uint64_t low, uint64_t high)
{
	for (; low < high; low++)
		executed[low]++;
}

/* As the entry points do it: what needs no look at the schedule first. */
static void execute_loop(void *argument)
{
	struct rt_thread *self = hand_team_enter();
	struct rt_loop *loop = &self->member->loop;
	uint64_t first, limit;

	(void)argument;
	rt_loop_begin(self, &loop_args, RT_SHARE_IF_NEEDED);
	for (;;) {
		if (rt_loop_claim(loop, &first, &limit))
			execute(first, limit);
		else if (rt_loop_next(self))
			execute(loop->low, loop->high);
		else
			break;
	}
	rt_loop_end(self);
}

static void check_loop(enum rt_loop_kind kind, uint64_t count, uint64_t chunk, bool nonmonotonic)
{
	loop_args = (struct rt_loop_args){.kind = kind,
	    .end = count,
	    .step = 1,
	    .count = count,
	    .chunk = chunk,
	    .nonmonotonic = nonmonotonic};
	hand_team_run(2, execute_loop);
	for (uint64_t i = 0; i < count; i++)
		EXPECT(executed[i] == 1);
}

static void dynamic(void)
{
	check_loop(RT_LOOP_DYNAMIC, 5, 2, false);
}
HARNESS(loops_dynamic, "a dynamic loop of two members") = {.run = dynamic};

static void guided(void)
{
	check_loop(RT_LOOP_GUIDED, 5, 1, false);
}
HARNESS(loops_guided, "a guided loop of two members") = {.run = guided};

/* Shares of 17 and 16 chunks. */
static void stealing(void)
{
	check_loop(RT_LOOP_DYNAMIC, 33, 1, true);
}
HARNESS(loops_stealing, "a dynamic loop whose chunks are stolen") = {
    .run = stealing, .preemptions = 1};

/* The same without claims that are sure. */
static void stealing_asked(void)
{
	rt_self();
	rt_watch(RT_BY_CANCELLATION);
	check_loop(RT_LOOP_DYNAMIC, 33, 1, true);
}
HARNESS(loops_stealing_asked, "a dynamic loop whose chunks are stolen, each asked for") = {
    .run = stealing_asked, .preemptions = 1};

/* Loops with nowait: the counts of the first one's slot are zero again for later ones. */
static void execute_nine(void *argument)
{
	struct rt_thread *self = hand_team_enter();

	(void)argument;
	for (int i = 0; i <= RT_WORKSHARES; i++) {
		rt_loop_begin(self, &loop_args, RT_SHARE_IF_NEEDED);
		while (rt_loop_next(self))
			add_relaxed((_Atomic int *)&executed[self->member->loop.low], 1);
		rt_loop_end(self);
	}
}

static void again(void)
{
	loop_args = (struct rt_loop_args){
	    .kind = RT_LOOP_DYNAMIC, .end = 2, .step = 1, .count = 2, .chunk = 1};
	hand_team_run(2, execute_nine);
	EXPECT(executed[0] == RT_WORKSHARES + 1 && executed[1] == RT_WORKSHARES + 1);
}
HARNESS(loops_again, "nine loops of two members, who do not wait") = {
    .run = again, .random_runs = 3000};

/* A member that finds what is looked for cancels the loop. */
static void search(void *argument)
{
	struct rt_thread *self = hand_team_enter();

	(void)argument;
	rt_loop_begin(self, &loop_args, RT_SHARE_IF_NEEDED);
	if (self->number == 0) {
		found = 1;
		EXPECT(GOMP_cancel(CANCEL_LOOP, true));
		EXPECT(GOMP_cancellation_point(CANCEL_LOOP) && !rt_loop_next(self));
	} else if (check_choose(2) == 0) {
		if (GOMP_cancellation_point(CANCEL_LOOP))
			EXPECT(found == 1);
	} else if (!rt_loop_next(self)) {
		EXPECT(found == 1);
	}
	rt_loop_end(self);
}

static void cancelled(void)
{
	rt_self();
	rt_watch(RT_BY_CANCELLATION);
	loop_args = (struct rt_loop_args){
	    .kind = RT_LOOP_DYNAMIC, .end = 4, .step = 1, .count = 4, .chunk = 1};
	hand_team_run(2, search);
}
HARNESS(loops_cancelled, "cancel for, which another member finds out") = {.run = cancelled};
