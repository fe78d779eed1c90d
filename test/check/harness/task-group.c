/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskgroup: its end waits for all tasks of the group and sees what they wrote; after that no
 * thread uses the group's memory. In a cancelled group, tasks that have not begun do not begin, and
 * tasks that have begun see at a cancellation point what was written before the cancel. Two
 * members.
 */
#include "cancel.h"
#include "check.h"
#include "process.h"
#include "task-pair.h"

bool GOMP_cancel(int kind, bool condition);
bool GOMP_cancellation_point(int kind);

static int written, nested_written;

static void work(void *argument)
{
	(void)argument;
	written = 1;
}

static void end_group(void)
{
	struct rt_thread *self = pair_begin();

	rt_taskgroup_begin(self);
	pair_generate(self, work, NULL, NULL);
	check_start(pair_execute, pair_take(self));
	rt_taskgroup_end(self);
	EXPECT(written == 1);
	/* The next group has the same memory. */
	rt_taskgroup_begin(self);
	EXPECT(load_relaxed(&self->task->group->pending) == 0);
	rt_taskgroup_end(self);
	check_join();
	rt_task_drain(self, NULL);
}
HARNESS(task_group_end, "taskgroup's end while another thread executes its task") = {
    .run = end_group};

static void nested(void *argument)
{
	(void)argument;
	nested_written = 1;
}

/* Its own task is of the group, too. */
static void outer(void *argument)
{
	struct rt_thread *self = rt_current;

	(void)argument;
	pair_generate(self, nested, NULL, NULL);
	check_start(pair_execute, pair_take(self));
	written = 1;
}

static void end_with_descendants(void)
{
	struct rt_thread *self = pair_begin();

	rt_taskgroup_begin(self);
	pair_generate(self, outer, NULL, NULL);
	rt_task_execute(self, pair_take(self));
	rt_taskgroup_end(self);
	EXPECT(written == 1 && nested_written == 1);
	check_join();
	rt_task_drain(self, NULL);
}
HARNESS(task_group_descendants, "taskgroup's end while another thread executes a grandchild") = {
    .run = end_with_descendants};

static int before_cancel;
static bool has_begun;

static void cancel(void *argument)
{
	(void)argument;
	before_cancel = 1;
	EXPECT(GOMP_cancel(RT_CANCEL_TASKGROUP, true));
}

static void look(void *argument)
{
	(void)argument;
	has_begun = true;
	if (GOMP_cancellation_point(RT_CANCEL_TASKGROUP))
		EXPECT(before_cancel == 1);
}

static void cancel_group(void)
{
	struct rt_thread *self = pair_begin();
	struct rt_task *first;

	rt_watch(RT_BY_CANCELLATION);
	rt_taskgroup_begin(self);
	pair_generate(self, look, NULL, NULL);
	first = pair_take(self);
	pair_generate(self, cancel, NULL, NULL);
	check_start(pair_execute, first);
	rt_task_execute(self, pair_take(self));
	/* Not even generated. */
	pair_generate(self, work, NULL, NULL);
	rt_taskgroup_end(self);
	EXPECT(written == 0 && before_cancel == 1);
	check_join();
	rt_task_drain(self, NULL);
}
HARNESS(task_group_cancel, "cancel taskgroup while another thread begins a task of it") = {
    .run = cancel_group};

/* The task is discarded or begins; either way the group's end finds it gone. */
static void cancel_region(void)
{
	struct rt_thread *self = pair_begin();

	rt_watch(RT_BY_CANCELLATION);
	rt_taskgroup_begin(self);
	pair_generate(self, look, NULL, NULL);
	check_start(pair_execute, pair_take(self));
	before_cancel = 1;
	EXPECT(GOMP_cancel(RT_CANCEL_PARALLEL, true));
	pair_generate(self, work, NULL, NULL);
	rt_taskgroup_end(self);
	EXPECT(written == 0);
	check_join();
	rt_task_drain(self, NULL);
}
HARNESS(task_group_cancel_region, "cancel parallel while another thread begins a task") = {
    .run = cancel_region};
