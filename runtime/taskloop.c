/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: how many tasks, and which iterations each gets (OpenMP 5.1, 2.12.2). Without clauses
 * there are as many tasks as the team has threads.
 */
#include "taskloop.h"

#include "reduction.h"
#include "team.h"

/* Tasks that there will be; `*each` iterations for each, one more for the first `*longer` of them.
 */
static uint64_t divide(
    struct rt_thread *self, const struct rt_taskloop *taskloop, uint64_t *each, uint64_t *longer)
{
	uint64_t count = taskloop->count, tasks = taskloop->amount;

	if (taskloop->is_grainsize) {
		uint64_t grain = tasks != 0 ? tasks : 1;
		if (taskloop->is_strict) { /* every task has grain iterations, the last the rest */
			*each = grain;
			*longer = 0;
			return (count - 1) / grain + 1;
		}
		tasks = count / grain; /* between grain and twice that each */
	} else if (tasks == 0) {
		tasks = self->team->size;
	}
	if (tasks > count)
		tasks = count;
	if (tasks == 0)
		tasks = 1;
	*each = count / tasks;
	*longer = count % tasks;
	return tasks;
}

static void generate(struct rt_thread *self, const struct rt_taskloop *taskloop)
{
	struct rt_task_request request = taskloop->request;
	uint64_t each, longer, low = 0, bounds[2];
	uint64_t tasks = divide(self, taskloop, &each, &longer);

	request.bounds = bounds;
	for (uint64_t i = 0; i < tasks; i++) {
		uint64_t high = low + each + (i < longer);
		if (high > taskloop->count)
			high = taskloop->count;
		bounds[0] = taskloop->start + low * taskloop->step;
		bounds[1] = high == taskloop->count ? taskloop->end
						    : taskloop->start + high * taskloop->step;
		rt_task_generate(self, &request);
		low = high;
	}
}

void rt_taskloop(struct rt_thread *self, const struct rt_taskloop *taskloop)
{
	if (taskloop->has_group)
		rt_taskgroup_begin(self);
	if (taskloop->reductions != NULL)
		rt_reduction_register(self, taskloop->reductions);
	if (taskloop->count != 0)
		generate(self, taskloop);
	if (taskloop->has_group)
		rt_taskgroup_end(self);
}
