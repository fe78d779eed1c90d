/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions with a separate context: a thread is in an initial team for a while, whose tasks are
 * complete when the thread leaves it. Meanwhile the other member of the thread's own team looks for
 * tasks. Within a preemption.
 */
#include "check.h"
#include "context.h"
#include "team-by-hand.h"

void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
    bool condition, unsigned flags, void **depend, int priority);

static int executed[2];

static void execute(void *data)
{
	executed[*(int *)data]++;
}

static void generate(int number)
{
	GOMP_task(execute, &number, NULL, sizeof(number), _Alignof(int), true, 0, NULL, 0);
}

static void enter_or_look(void *argument)
{
	struct rt_thread *self = hand_team_enter();
	struct rt_context outer;

	(void)argument;
	if (self->number == 0) {
		generate(0);
		EXPECT(rt_context_enter(self, &outer, 0));
		generate(1);
		rt_context_leave(self, &outer);
		EXPECT(executed[1] == 1);
	}
	EXPECT(!rt_team_barrier(self));
	EXPECT(executed[0] == 1 && executed[1] == 1);
}

static void context(void)
{
	hand_no_spinning();
	hand_team_new(2);
	check_start(enter_or_look, NULL);
	enter_or_look(NULL);
	check_join();
	rt_team_free_contexts(rt_self());
}
HARNESS(context_pair, "a member is in another initial team while the other looks for tasks") = {
    .run = context, .preemptions = 1};
