/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: a member executes its tasks and shares the upper half of them, which another member
 * takes at once. Each task is executed once, the construct's end sees all, and the arguments that
 * all tasks are made of are freed when no task needs them. Two members, two tasks.
 */
#include "taskloop.h"

#include <stdlib.h>

#include "check.h"
#include "task-pair.h"

enum { TASKS = 2 };
static int executed[TASKS];
static bool was_given;

/* The first task hands what has been shared to the other member. */
static void iteration(void *data)
{
	const uint64_t *bounds = data;

	if (!was_given) {
		was_given = true;
		check_start(pair_execute, pair_take(rt_current));
	}
	executed[bounds[0]]++;
}

static void share_range(void)
{
	struct rt_thread *self = pair_begin();
	uint64_t data[2];
	struct rt_taskloop taskloop = {.request = {.fn = iteration,
					   .data = data,
					   .size = sizeof(data),
					   .align = _Alignof(uint64_t),
					   .deferrable = true},
	    .end = TASKS,
	    .step = 1,
	    .count = TASKS,
	    .has_group = true};

	rt_taskloop(self, &taskloop);
	EXPECT(was_given && executed[0] == 1 && executed[1] == 1);
	check_join();
	rt_task_drain(self, NULL);
}
HARNESS(task_loop_share, "a taskloop's end while another thread executes half of its tasks") = {
    .run = share_range};

static void fill(const struct rt_taskloop *taskloop, void *data, struct rt_task *task,
    uint64_t first, uint64_t last, bool is_final)
{
	uint64_t *bounds = data;

	(void)task;
	(void)last;
	(void)is_final;
	bounds[0] = first + *(const uint64_t *)taskloop->request.data;
}

static int finished;

static void finish(void *data)
{
	EXPECT(executed[0] == 1 && executed[1] == 1);
	*(uint64_t *)data = UINT64_MAX;
	free(data);
	finished++;
}

/* The program ends the group itself, as clang's code does: the loop may outlast its construct. */
static void outlast(void)
{
	struct rt_thread *self = pair_begin();
	struct rt_taskloop taskloop = {.request = {.fn = iteration,
					   .data = calloc(1, sizeof(uint64_t)),
					   .size = sizeof(uint64_t),
					   .align = _Alignof(uint64_t),
					   .deferrable = true},
	    .end = TASKS,
	    .step = 1,
	    .count = TASKS,
	    .fill = fill,
	    .finish = finish,
	    .is_awaited = true};

	rt_taskgroup_begin(self);
	rt_taskloop(self, &taskloop);
	rt_taskgroup_end(self);
	EXPECT(was_given && finished == 1);
	check_join();
	rt_task_drain(self, NULL);
}
HARNESS(task_loop_outlast, "the last of two threads frees what a taskloop's tasks are made of") = {
    .run = outlast};
