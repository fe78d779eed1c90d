/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RT_TASKLOOP_H
#define RT_TASKLOOP_H
#include "tasks.h"

struct rt_taskloop;

/*
 * Makes arguments that the program itself fills in, for the task whose loop variable goes from
 * `first` to `last`, inclusive. task: the record that they are in; NULL: they are in none.
 * is_final: the task has the loop's last iteration.
 */
typedef void rt_taskloop_fill_fn(const struct rt_taskloop *taskloop, void *data,
    struct rt_task *task, uint64_t first, uint64_t last, bool is_final);

struct rt_taskloop {
	struct rt_task_request request;   /* of each task, except for the bounds */
	uint64_t start, end, step, count; /* as in struct rt_loop_args */
	uint64_t amount;                  /* of the grainsize or num_tasks clause, 0: none */
	bool is_grainsize, is_strict;
	bool has_group;        /* no nogroup clause */
	uintptr_t *reductions; /* NULL: none */
	uintptr_t context[3];  /* for `fill` */
	/*
	 * NULL: the data begins with the bounds, and the program's function does not return before
	 * the tasks end.
	 */
	rt_taskloop_fill_fn *fill;
	void (*drop)(void *data); /* with `fill`: for a task that is not generated */
	/*
	 * With `fill`: called when no task needs `request.data` any more; perhaps after the
	 * construct.
	 */
	void (*finish)(void *data);
	bool is_awaited; /* with `fill`: the program ends a group around the loop, which has no
			    other tasks */
	bool is_apart;   /* with `fill`: only the thread that encounters the loop may call it */
};

struct rt_taskloop_division;

/*
 * Tasks first .. last - 1 of a taskloop, which have not begun, and how long one of them may take.
 * The task that is queued executes all of them; debuggers show it as those.
 */
struct rt_taskloop_range {
	const struct rt_taskloop_division *division;
	rt_task_fn *fn; /* code of each task; for debuggers */
	uint64_t first, last, cycles;
};

/* The code of such a task; its argument is the range. */
void rt_taskloop_run_range(void *range);

/*
 * Generates the tasks of a taskloop construct and waits for them, unless it has a nogroup clause.
 */
void rt_taskloop(struct rt_thread *self, const struct rt_taskloop *taskloop);

/*
 * The part of rt_taskloop() within its group if a tool is attached: the tool has to see each task
 * created in the thread that encounters the construct.
 */
void rt_taskloop_generate(struct rt_thread *self, const struct rt_taskloop *taskloop);

#endif
