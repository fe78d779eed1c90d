/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancellation points: a thread that finds a region or a taskgroup cancelled sees what was written
 * before the cancel construct. In every order.
 */
#include "check.h"
#include "tasks.h"
#include "team-by-hand.h"

enum { CANCEL_PARALLEL = 1, CANCEL_TASKGROUP = 8 };

bool GOMP_cancel(int kind, bool condition);
bool GOMP_cancellation_point(int kind);
bool GOMP_barrier_cancel(void);

static int written;
static struct rt_taskgroup group;

static void start(void (*body)(void *))
{
	rt_self();
	rt_watch(RT_BY_CANCELLATION);
	hand_team_run(2, body);
}

static void look_or_cancel(void *argument)
{
	struct rt_thread *self = hand_team_enter();

	(void)argument;
	if (self->number == 0) {
		written = 1;
		EXPECT(GOMP_cancel(CANCEL_PARALLEL, true));
	} else if (GOMP_cancellation_point(CANCEL_PARALLEL)) {
		EXPECT(written == 1);
	}
}

static void region(void)
{
	start(look_or_cancel);
}
HARNESS(cancel_region, "a cancellation point of a cancelled region") = {.run = region};

/* The region may be cancelled before a member comes to the barrier, or while it waits. */
static void wait_or_cancel(void *argument)
{
	struct rt_thread *self = hand_team_enter();

	(void)argument;
	if (self->number == 0) {
		written = 1;
		EXPECT(GOMP_cancel(CANCEL_PARALLEL, true));
	} else {
		EXPECT(GOMP_barrier_cancel());
		EXPECT(written == 1);
	}
}

static void barrier(void)
{
	start(wait_or_cancel);
}
HARNESS(cancel_barrier, "a barrier of a cancelled region") = {.run = barrier};

/* Both members execute tasks of one taskgroup. */
static void look_or_cancel_group(void *argument)
{
	struct rt_thread *self = hand_team_enter();

	(void)argument;
	self->task->group = &group;
	if (self->number == 0) {
		written = 1;
		EXPECT(GOMP_cancel(CANCEL_TASKGROUP, true));
		EXPECT(GOMP_cancellation_point(CANCEL_TASKGROUP));
	} else if (GOMP_cancellation_point(CANCEL_TASKGROUP)) {
		EXPECT(written == 1);
	}
}

static void taskgroup(void)
{
	start(look_or_cancel_group);
}
HARNESS(cancel_taskgroup, "a cancellation point of a cancelled taskgroup") = {.run = taskgroup};
