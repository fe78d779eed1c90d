/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where tasks wait to be executed: a member that looks for a task finds it or is woken for it,
 * tasks with a priority are in the shared queue, and a worker does not execute a task of the next
 * region before it has begun that region. A worker that looks for tasks while its team is divided
 * finds the division complete.
 */
#include "check.h"
#include "process.h"
#include "task-pair.h"
#include "teams.h"

static _Atomic uint32_t done;
static int runs, written;

static bool is_done(const void *subject)
{
	(void)subject;
	return load_sequential(&done) != 0;
}

static void finish(void *argument)
{
	(void)argument;
	EXPECT(written == 1);
	runs++;
	store_sequential(&done, 1);
}

static void help(void *argument)
{
	(void)argument;
	rt_task_help_until(pair_enter(), is_done, NULL, NULL);
}

/* The member that generates it executes nothing, so that the other one has to. */
static void offer(void)
{
	struct rt_thread *self = pair_begin();

	check_start(help, NULL);
	written = 1;
	pair_generate(self, finish, NULL, NULL);
	check_join();
	rt_task_wait(self);
	EXPECT(runs == 1);
}
HARNESS(task_queue_offer, "a task is queued while another member is about to sleep") = {
    .run = offer};

static void generate_urgent(struct rt_thread *self, rt_task_fn *fn, int32_t priority)
{
	struct rt_task_request request = {.fn = fn, .deferrable = true, .priority = priority};

	rt_task_generate(self, &request);
}

static void offer_urgent(void)
{
	struct rt_thread *self = pair_begin();

	check_start(help, NULL);
	written = 1;
	generate_urgent(self, finish, 1);
	check_join();
	rt_task_wait(self);
	EXPECT(runs == 1);
}
HARNESS(task_queue_priority, "a task with a priority is queued while a member falls asleep") = {
    .run = offer_urgent};

static uint32_t urgent_by, plain_by;

static void urgent(void *argument)
{
	(void)argument;
	urgent_by = check_thread() + 1;
}

static void later(void *argument)
{
	(void)argument;
	plain_by = check_thread() + 1;
}

static void run_one(void *argument)
{
	(void)argument;
	rt_task_run_one(pair_enter(), NULL);
}

/* Each of two in the shared queue is executed once. */
static void share_queue(void)
{
	struct rt_thread *self = pair_begin();

	generate_urgent(self, later, 1);
	generate_urgent(self, urgent, 2);
	check_start(run_one, NULL);
	rt_task_run_one(self, NULL);
	check_join();
	rt_task_wait(self);
	EXPECT(urgent_by != 0 && plain_by != 0);
}
HARNESS(task_queue_share, "two members take two tasks out of the shared queue") = {
    .run = share_queue, .preemptions = 3};

/* A worker that is late executes none of a region that it has not seen. */
static void of_next_region(void *argument)
{
	(void)argument;
	EXPECT(rt_current->number == 0);
	runs++;
}

static void begin_next_region(int32_t priority)
{
	struct rt_thread *self = pair_begin();

	store_relaxed(&pair_team.has_tasks, 1); /* what the region before left */
	check_start(run_one, NULL);
	store_sequential(&pair_team.region, load_relaxed(&pair_team.region) + 1);
	generate_urgent(self, of_next_region, priority);
	rt_task_wait(self);
	EXPECT(runs == 1);
	check_join();
}

static void late(void)
{
	begin_next_region(0);
}
HARNESS(task_queue_late, "a late worker steals a task of the region that it has not begun") = {
    .run = late, .preemptions = 2};

static void late_urgent(void)
{
	begin_next_region(1);
}
HARNESS(task_queue_late_priority, "a late worker takes such a task out of the shared queue") = {
    .run = late_urgent, .preemptions = 2};

static bool region_changed(const void *subject)
{
	const struct rt_member *member = subject;

	return load_sequential(&member->team->region) != member->seen;
}

static void wait_for_region(void *argument)
{
	struct rt_thread *self = pair_enter();

	(void)argument;
	rt_task_help_until(self, region_changed, self->member, NULL);
}

static void divide(bool has_tasks)
{
	pair_begin();
	rt_process.undivided_size = 1;
	rt_process.group_size = 2;
	pair_team.last_size = 2;
	store_relaxed(&pair_team.has_tasks, has_tasks);
	check_start(wait_for_region, NULL);
	rt_team_publish(&pair_team);
	check_join();
}

static void divide_while_asleep(void)
{
	divide(false);
}
HARNESS(task_queue_divide_asleep, "a team is divided while its worker falls asleep") = {
    .run = divide_while_asleep, .preemptions = 2};

static void divide_while_searching(void)
{
	divide(true);
}
HARNESS(task_queue_divide, "a team is divided while its worker looks for tasks") = {
    .run = divide_while_searching, .preemptions = 2};
