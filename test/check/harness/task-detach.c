/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * detach: a task is completed by the later one of its body's end and its event's fulfilment, in a
 * member or in a thread outside of the team. A thread that waits for the task sees what both did,
 * and so does a task that depends on it.
 */
#include "check.h"
#include "task-pair.h"

static int body_wrote, event_wrote, successor_saw;
static void *event;

static void body(void *argument)
{
	(void)argument;
	body_wrote = 1;
}

static void generate(struct rt_thread *self, void **depend)
{
	struct {
		void *event, *argument;
	} data = {NULL, NULL};
	struct rt_task_request request = {.fn = body,
	    .data = &data,
	    .size = sizeof(data),
	    .align = _Alignof(void *),
	    .deferrable = true,
	    .flags = RT_TASK_DETACHABLE,
	    .depend = depend,
	    .event = &event};

	rt_task_generate(self, &request);
}

static void fulfil(void *argument)
{
	struct rt_thread *self = argument != NULL ? pair_enter_outside() : pair_enter();

	event_wrote = 1;
	rt_task_fulfill(self, (uintptr_t)event);
}

static void fulfil_against_body(void *outside)
{
	struct rt_thread *self = pair_begin();
	struct rt_task *task;

	generate(self, NULL);
	pair_use_up_blocks(self);
	task = pair_take(self);
	check_start(fulfil, outside);
	rt_task_execute(self, task);
	rt_task_wait(self);
	EXPECT(body_wrote == 1 && event_wrote == 1);
	check_join();
}

static void member_fulfils(void)
{
	fulfil_against_body(NULL);
}
HARNESS(task_detach_member, "a member fulfils the event while another one ends the body") = {
    .run = member_fulfils};

static void outsider_fulfils(void)
{
	fulfil_against_body(&event);
}
HARNESS(
    task_detach_outside, "a thread outside of the team fulfils the event while the body ends") = {
    .run = outsider_fulfils};

static void parent_fulfils(void)
{
	struct rt_thread *self = pair_begin();

	generate(self, NULL);
	check_start(pair_execute, pair_take(self));
	event_wrote = 1;
	rt_task_fulfill(self, (uintptr_t)event);
	rt_task_wait(self);
	EXPECT(body_wrote == 1);
	check_join();
}
HARNESS(task_detach_parent, "the parent fulfils the event while another member ends the body") = {
    .run = parent_fulfils};

static void successor(void *argument)
{
	(void)argument;
	EXPECT(body_wrote == 1 && event_wrote == 1);
	successor_saw = 1;
}

/* It is queued by the thread outside of the team, in the queue that all members share. */
static void successor_after_event(void)
{
	static int x;
	void *depend[] = {(void *)1, (void *)1, &x};
	struct rt_thread *self = pair_begin();

	generate(self, depend);
	rt_task_execute(self, pair_take(self));
	pair_generate(self, successor, NULL, depend);
	check_start(fulfil, &event);
	rt_task_wait(self);
	EXPECT(successor_saw == 1);
	check_join();
}
HARNESS(task_detach_successor, "a thread outside of the team makes a task ready for a member") = {
    .run = successor_after_event};

/* In a team of one a task without predecessors that are left runs at once. */
static void serial_after_event(void)
{
	static int x;
	void *depend[] = {(void *)1, (void *)1, &x};
	struct rt_thread *self = pair_begin();

	generate(self, depend);
	rt_task_execute(self, pair_take(self));
	pair_team.size = 1;
	check_start(fulfil, &event);
	pair_generate(self, successor, NULL, depend);
	rt_task_wait(self);
	EXPECT(successor_saw == 1);
	check_join();
}
HARNESS(task_detach_alone, "a task of a team of one waits for the event of the one before") = {
    .run = serial_after_event};
