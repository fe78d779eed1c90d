/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team's shared queue of ready tasks: each task is taken once, the task of the highest priority
 * first, by a thread that sees what its creator wrote; a thread that sleeps because there are no
 * tasks is woken.
 */
#include "check.h"
#include "process.h"
#include "ready-queue.h"
#include "task.h"
#include "wait.h"

enum { TASKS = 4 };

static struct rt_ready_queue queue;
static struct rt_event event;
static struct rt_task tasks[TASKS];

static void push(uint32_t number, int32_t priority)
{
	tasks[number].flags = RT_TASK_UNTIED;
	tasks[number].priority = priority;
	tasks[number].depth = 1;
	rt_ready_push(&queue, &tasks[number]);
}

static struct rt_task *take(void)
{
	struct rt_task *task = rt_ready_take(&queue, NULL);

	if (task != NULL)
		EXPECT(task->depth++ == 1);
	return task;
}

static void take_once(void *argument)
{
	(void)argument;
	take();
}

static void two_take(void)
{
	uint32_t had = 0;

	rt_process.spin_count = 0;
	push(0, 1);
	check_start(take_once, NULL);
	take();
	check_join();
	had += tasks[0].depth == 2;
	EXPECT(had == 1 && load_relaxed(&queue.length) == 0);
	EXPECT(rt_ready_take(&queue, NULL) == NULL);
	rt_ready_finish(&queue);
}
HARNESS(ready_queue_last, "two threads want the last task") = {.run = two_take};

static void push_two(void *argument)
{
	(void)argument;
	push(0, 1);
	push(1, 2);
}

/* A thread that finds both takes the second first. */
static void push_and_take(void)
{
	const struct rt_task *first, *second;

	rt_process.spin_count = 0;
	check_start(push_two, NULL);
	first = take();
	second = take();
	check_join();
	EXPECT(first != &tasks[0] || second == NULL || second == &tasks[1]);
	EXPECT(first != &tasks[1] || second == &tasks[0]);
	while (take() != NULL)
		;
	EXPECT(tasks[0].depth == 2 && tasks[1].depth == 2);
}
HARNESS(ready_queue_priority, "a thread takes tasks of two priorities while they come") = {
    .run = push_and_take};

static void sleep_for_a_task(void *argument)
{
	(void)argument;
	while (take() == NULL) {
		uint32_t ticket = rt_event_announce(&event);

		if (take() != NULL) {
			rt_event_withdraw(&event);
			return;
		}
		rt_event_sleep(&event, ticket);
	}
}

static void wake(void)
{
	rt_process.spin_count = 0;
	check_start(sleep_for_a_task, NULL);
	push(0, 0);
	rt_event_notify_one(&event);
	check_join();
	EXPECT(tasks[0].depth == 2);
}
HARNESS(ready_queue_wakes, "a thread that sleeps is woken by the next task") = {
    .run = wake, .spurious = 1};

/* Any priorities in any order: the highest first, and in order of coming among equals. */
static void sorted(void)
{
	enum { LEVELS = 3 };
	const struct rt_task *last = NULL;

	for (uint32_t i = 0; i < TASKS; i++)
		push(i, (int32_t)check_choose(LEVELS));
	for (uint32_t i = 0; i < TASKS; i++) {
		const struct rt_task *task = take();

		EXPECT(task != NULL);
		EXPECT(last == NULL || task->priority < last->priority ||
		       (task->priority == last->priority && task > last));
		last = task;
	}
	EXPECT(take() == NULL && queue.level_count == 0);
	rt_ready_finish(&queue);
}
HARNESS(ready_queue_sorted, "tasks of three priorities come out as they should") = {.run = sorted};
