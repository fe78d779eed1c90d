/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RT_TASKLOOP_H
#define RT_TASKLOOP_H
#include "tasks.h"

struct rt_taskloop;

/*
 * Arguments that the program makes itself: those of the task whose loop variable goes from `first`
 * to `last`, inclusive. task: the record that they are in; NULL: it has none of its own. is_final:
 * they have the loop's last iteration.
 */
typedef void rt_taskloop_fill_fn(const struct rt_taskloop *taskloop, void *data,
    struct rt_task *task, uint64_t first, uint64_t last, bool is_final);

struct rt_taskloop {
	struct rt_task_request request;   /* each task's; bounds excepted */
	const void *site;                 /* see rt_task_generate() */
	uint64_t start, end, step, count; /* as in struct rt_loop_args */
	uint64_t amount;                  /* of the grainsize or num_tasks clause, 0: none */
	bool is_grainsize, is_strict;
	bool has_group;        /* no nogroup clause */
	uintptr_t *reductions; /* NULL: none */
	uintptr_t context[3];  /* for `fill` */
	/* NULL: the data begins with the bounds, and the program's function stays until the end. */
	rt_taskloop_fill_fn *fill;
	void (*drop)(void *data); /* of a task with `fill` that is not generated; or NULL */
	/* With `fill`: no task needs `request.data` any more; perhaps after the construct. */
	void (*finish)(void *data);
	bool is_awaited; /* with `fill`: the program ends a group around it, which has no other
			    tasks */
	bool is_apart; /* with `fill`: it may be done only in the thread that encounters the loop */
};

struct rt_taskloop_division;

/*
 * Tasks first .. last - 1 of a taskloop, which are not begun, and what one of them may take. What
 * is queued is a task that executes them; debuggers show it as those.
 */
struct rt_taskloop_range {
	const struct rt_taskloop_division *division;
	rt_task_fn *fn; /* of each; for debuggers */
	uint64_t first, last, cycles;
};

/* The code of such a task; its argument is the range. */
void rt_taskloop_run_range(void *range);

/* Generates the tasks of a taskloop construct and waits for them unless nogroup says not to. */
void rt_taskloop(struct rt_thread *self, const struct rt_taskloop *taskloop);

/*
 * What it does within its group with a tool, which is to see in the thread that encounters the
 * construct that each task is created.
 */
void rt_taskloop_generate(struct rt_thread *self, const struct rt_taskloop *taskloop);

#endif
