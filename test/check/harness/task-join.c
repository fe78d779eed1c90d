/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A task waits for its children and for their descendants: two members, one child, one grandchild.
 * The parent is woken, it sees what they wrote, and their records are given back when no thread
 * uses them.
 */
#include "check.h"
#include "slab.h"
#include "task-pair.h"

static int child_wrote, grandchild_wrote;

static void child(void *argument)
{
	(void)argument;
	child_wrote = 1;
}

/* The record of a task that another thread completed comes back, for any use. */
static void reuse_block(struct rt_thread *self)
{
	struct rt_slab_block *block;

	if (load_relaxed(&self->slab->returned) == NULL)
		return;
	block = (struct rt_slab_block *)rt_slab_take(self->slab);
	EXPECT(load_relaxed(&block->task.created) == 0 && load_relaxed(&block->task.joins) == 0);
	block->task.flags = 0;
	*(void **)block->arguments = NULL;
}

static void wait_for_one(void)
{
	struct rt_thread *self = pair_begin();

	pair_generate(self, child, NULL, NULL);
	pair_use_up_blocks(self);
	check_start(pair_execute, pair_take(self));
	rt_task_wait(self);
	EXPECT(child_wrote == 1);
	reuse_block(self);
	check_join();
}
HARNESS(task_join_child, "taskwait while another thread executes the child") = {
    .run = wait_for_one};

static void grandchild(void *argument)
{
	(void)argument;
	grandchild_wrote = 1;
}

/* Ends while another thread has its child. */
static void parent(void *argument)
{
	struct rt_thread *self = rt_current;

	(void)argument;
	pair_generate(self, grandchild, NULL, NULL);
	pair_use_up_blocks(self);
	check_start(pair_execute, pair_take(self));
	child_wrote = 1;
}

static void drain(void)
{
	struct rt_thread *self = pair_begin();

	pair_generate(self, parent, NULL, NULL);
	rt_task_execute(self, pair_take(self));
	rt_task_drain(self, NULL);
	EXPECT(child_wrote == 1 && grandchild_wrote == 1);
	EXPECT(load_relaxed(&self->task->created) == 0 && load_relaxed(&self->task->joins) == 0);
	reuse_block(self);
	check_join();
}
HARNESS(task_join_descendants, "a task ends before its child; the region's end waits for both") = {
    .run = drain};

/* What the child does has happened; only its own child is left, which is executed later. */
static void wait_for_completed(void)
{
	struct rt_thread *self = pair_begin(), *other = pair_other();
	struct rt_task *first, *left;

	pair_generate(self, child, NULL, NULL);
	first = pair_take(self);
	other->task = first;
	pair_generate(other, grandchild, NULL, NULL);
	left = pair_take(other);
	other->task = &other->member->implicit;
	check_start(pair_execute, first);
	rt_task_wait(self);
	EXPECT(child_wrote == 1 && grandchild_wrote == 0);
	rt_task_execute(self, left);
	rt_task_drain(self, NULL);
	check_join();
}
HARNESS(task_join_completed, "taskwait does not wait for the child's own child") = {
    .run = wait_for_completed};

/* Two children of two threads: the counters add up, and one of the threads wakes the parent. */
static int second_wrote;

static void second_child(void *argument)
{
	(void)argument;
	second_wrote = 1;
}

static void wait_for_two(void)
{
	struct rt_thread *self = pair_begin();
	struct rt_task *first;

	pair_generate(self, child, NULL, NULL);
	first = pair_take(self);
	pair_generate(self, second_child, NULL, NULL);
	check_start(pair_execute, first);
	rt_task_wait(self);
	EXPECT(child_wrote == 1 && second_wrote == 1);
	check_join();
}
HARNESS(task_join_two, "taskwait executes one child while another thread has the other") = {
    .run = wait_for_two};

/* The parent continues: it does not wait for what it generates next. */
static void wait_twice(void)
{
	struct rt_thread *self = pair_begin();

	pair_generate(self, child, NULL, NULL);
	check_start(pair_execute, pair_take(self));
	rt_task_wait(self);
	EXPECT(child_wrote == 1);
	pair_generate(self, second_child, NULL, NULL);
	rt_task_wait(self);
	EXPECT(second_wrote == 1);
	check_join();
}
HARNESS(task_join_twice, "a second taskwait while the first one's child may still wake it") = {
    .run = wait_twice};
