/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tool's records of tasks: the thread that completes a task gives the record back to the list
 * of the thread that created it, which uses it again. The checker does not see what the runtime
 * orders: see check_give(). Bounds: two threads; the creator has used up its records.
 */
#include "check.h"
#include "library.h"
#include "tool.h"

enum { RECORDS = 64 };

static ompt_data_t tasks[RECORDS + 1];

static void create(ompt_data_t *task)
{
	static const char code;

	tool_task_create_ours(NULL, NULL, task, ompt_task_explicit, 0, &code);
}

/* The task is executed by another thread than the one that created it. */
static void execute(void *argument)
{
	ompt_data_t none = {0};
	ompt_data_t *task = argument;

	tool_task_schedule(&none, ompt_task_switch, task);
	tool_task_schedule(task, ompt_task_complete, &none);
}

static void returned(void)
{
	library_measures();
	for (int i = 0; i < RECORDS; i++) {
		create(&tasks[i]);
		EXPECT(tasks[i].ptr != NULL);
	}
	check_start(execute, &tasks[0]);
	create(&tasks[RECORDS]);
	EXPECT(tasks[RECORDS].ptr != NULL);
	for (int i = 1; i < RECORDS; i++)
		EXPECT(tasks[i].ptr != tasks[RECORDS].ptr);
	check_join();
}
HARNESS(pomp_tasks_returned, "a task's record comes back while its owner needs another one") = {
    .run = returned};
