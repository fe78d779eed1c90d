/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions in which tasks take part: each task adds to the copy of the thread that executes it,
 * and the thread that ends the group combines all copies. Blocks of cancelled constructs stay until
 * the region ends.
 */
#include "reduction.h"

#include "check.h"
#include "task-pair.h"

/* The words of a description: see reduction.h. */
enum { COUNT = 0, SIZE = 1, BASE = 2, FIRST = 7, WORDS = 10 };

static int sum;

static void describe(uintptr_t reductions[WORDS])
{
	reductions[COUNT] = 1;
	reductions[SIZE] = reductions[BASE] = PROCESSOR_LINE;
	reductions[FIRST] = (uintptr_t)&sum;
	reductions[FIRST + 1] = 0;
}

static void add(void *argument)
{
	void *address = &sum;

	(void)argument;
	rt_reduction_remap(rt_current, 1, 0, &address);
	(*(int *)address)++;
}

static void combine_in_group(void)
{
	uintptr_t reductions[WORDS] = {0};
	struct rt_thread *self = pair_begin();
	struct rt_task *task;

	describe(reductions);
	rt_taskgroup_begin(self);
	rt_reduction_register(self, reductions);
	pair_generate(self, add, NULL, NULL);
	task = pair_take(self);
	pair_generate(self, add, NULL, NULL);
	check_start(pair_execute, task);
	rt_taskgroup_end(self);
	for (uint32_t i = 0; i < self->team->size; i++)
		sum += *(int *)(reductions[BASE] + i * reductions[SIZE]);
	EXPECT(sum == 2);
	rt_reduction_unregister(reductions);
	check_join();
	rt_task_drain(self, NULL);
}
HARNESS(task_reduction_group, "two threads add to copies, the end of the group combines them") = {
    .run = combine_in_group};

/* A construct of this thread's alone, which is cancelled. */
static void leave_cancelled(struct rt_thread *self, struct rt_workshare *share)
{
	uintptr_t reductions[WORDS] = {0};

	describe(reductions);
	self->member->loop.share = share;
	rt_reduction_share(self, reductions, true);
	rt_reduction_unshare(self, rt_reduction_leave(self), true);
}

static struct rt_workshare shares[2];

static void leave_second(void *argument)
{
	(void)argument;
	leave_cancelled(pair_enter(), &shares[1]);
}

static void keep_blocks(void)
{
	struct rt_thread *self = pair_begin();
	struct rt_garbage *garbage;
	int count = 0;

	check_start(leave_second, NULL);
	leave_cancelled(self, &shares[0]);
	check_join();
	for (garbage = load_relaxed(&pair_team.garbage); garbage != NULL; garbage = garbage->next)
		count++;
	EXPECT(count == 2);
}
HARNESS(task_reduction_cancelled, "two threads leave blocks behind for the region's end") = {
    .run = keep_blocks};
