/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that waits in a task executes only descendants of that task; see rt_task_may_run(). What
 * it waits for is executed nevertheless, by itself if no other thread does it. A task that it may
 * not execute neither hides a task that it may execute, nor uses up the wake-up of a thread that
 * may execute it. The thread that generates the tasks executes none, like a thread that waits in a
 * loop of the program.
 */
#include "check.h"
#include "process.h"
#include "task-pair.h"

static _Atomic uint32_t done;
static _Atomic uint32_t runs;

static bool is_done(const void *subject)
{
	(void)subject;
	return load_sequential(&done) != 0;
}

static void finish(void *argument)
{
	(void)argument;
	add_relaxed(&runs, 1);
	store_sequential(&done, 1);
	rt_team_notify(&pair_team);
}

static void help(void *argument)
{
	(void)argument;
	rt_task_help_until(pair_enter(), is_done, NULL, NULL);
}

static void run_child(void *argument)
{
	(void)argument;
	add_relaxed(&runs, 1);
}

/* Untied: the thread stays bound to what it has suspended below, which is at a barrier. */
static void generate_and_wait(void *argument)
{
	struct rt_thread *self = rt_current;

	(void)argument;
	pair_generate(self, run_child, NULL, NULL);
	rt_task_wait(self);
	EXPECT(load_relaxed(&runs) == 1);
	finish(NULL);
}

static void untied(void)
{
	struct rt_thread *self = pair_begin();

	pair_generate_untied(self, generate_and_wait);
	check_start(help, NULL);
	check_join();
	rt_task_wait(self);
	EXPECT(load_relaxed(&runs) == 2);
}
HARNESS(task_constraint_untied, "an untied task waits for a tied child") = {.run = untied};

/* A tied task that waits takes no untied one that is not its descendant. */
static void check_refused(void *argument)
{
	(void)argument;
	EXPECT(load_relaxed(&rt_current->task->parent) == &rt_current->member->implicit);
	add_relaxed(&runs, 1);
}

static void wait_in_task(void *argument)
{
	struct rt_thread *self = rt_current;

	(void)argument;
	rt_task_run_one(self, self->task);
	EXPECT(load_relaxed(&runs) == 0);
}

static void unrelated(void)
{
	struct rt_thread *self = pair_begin();
	struct rt_task *task;

	pair_generate(self, wait_in_task, NULL, NULL);
	task = pair_take(self);
	pair_generate_untied(self, check_refused);
	check_start(pair_execute, task);
	check_join();
	rt_task_wait(self);
	EXPECT(load_relaxed(&runs) == 1);
}
HARNESS(task_constraint_unrelated, "a thread waits in a task beside an untied one") = {
    .run = unrelated};

static void wait_for_children(void *argument)
{
	(void)argument;
	rt_task_wait(rt_current);
	EXPECT(load_relaxed(&done) == 1);
}

/* By member 0, whose task it is for that. */
static void generate_child(struct rt_thread *self, struct rt_task *parent)
{
	struct rt_task *own = self->task;

	self->task = parent;
	pair_generate(self, finish, NULL, NULL);
	self->task = own;
}

/* The child is between two tasks of other parents, so that neither end of the deque shows it. */
static void hidden(void)
{
	struct rt_thread *self = pair_begin();
	struct rt_task *waits;

	pair_generate(self, wait_for_children, NULL, NULL);
	waits = pair_take(self);
	pair_generate(self, run_child, NULL, NULL);
	generate_child(self, waits);
	pair_generate(self, run_child, NULL, NULL);
	check_start(pair_execute, waits);
	check_join();
	rt_task_wait(self);
	EXPECT(load_relaxed(&runs) == 3);
}
HARNESS(task_constraint_hidden, "a task may be executed, but not those around it in the deque") = {
    .run = hidden};

/* The same in the thread's own deque, in a team without another thread to take them. */
static void hidden_own(void)
{
	struct rt_thread *self = pair_begin();
	struct rt_task *waits;

	pair_generate(self, wait_for_children, NULL, NULL);
	waits = pair_take(self);
	pair_generate(self, run_child, NULL, NULL);
	generate_child(self, waits);
	pair_generate(self, run_child, NULL, NULL);
	rt_task_execute(self, waits);
	rt_task_wait(self);
	EXPECT(load_relaxed(&runs) == 3);
}
HARNESS(task_constraint_hidden_own, "the same in the deque of the thread that waits") = {
    .run = hidden_own};

static void help_at_barrier(void *argument)
{
	(void)argument;
	rt_task_help_until(pair_enter_third(), is_done, NULL, NULL);
}

/* Its own implicit task has no descendants: it may execute nothing. */
static void help_in_task(void *argument)
{
	struct rt_thread *self = pair_enter();

	(void)argument;
	rt_task_help_until(self, is_done, NULL, &self->member->implicit);
}

/* Only one of the two that sleep is woken for the task, perhaps the one that may not execute it. */
static void passed_on(void)
{
	struct rt_thread *self = pair_begin_with_third();

	check_start(help_in_task, NULL);
	check_start(help_at_barrier, NULL);
	pair_generate(self, finish, NULL, NULL);
	check_join();
	rt_task_wait(self);
	EXPECT(load_relaxed(&runs) == 1);
}
HARNESS(task_constraint_wake, "of two threads that sleep one may execute the task") = {
    .run = passed_on, .preemptions = 1};

/* Two tasks, of which one is moved aside while the other thread falls asleep. */
static void moved(void)
{
	struct rt_thread *self = pair_begin_with_third();
	struct rt_task *waits;

	pair_generate(self, wait_for_children, NULL, NULL);
	waits = pair_take(self);
	pair_generate(self, run_child, NULL, NULL);
	generate_child(self, waits);
	check_start(pair_execute, waits);
	check_start(help_at_barrier, NULL);
	check_join();
	rt_task_wait(self);
	EXPECT(load_relaxed(&runs) == 2);
}
HARNESS(task_constraint_moved, "a task in front of another is moved while a thread looks") = {
    .run = moved, .preemptions = 1};
