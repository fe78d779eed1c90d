/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: how many tasks, and which iterations each gets (OpenMP 5.1, 2.12.2). Without clauses
 * there are as many tasks as the team has threads.
 */
#include "taskloop.h"

#include <stdlib.h>
#include <string.h>

#include "in-place.h"
#include "message.h"
#include "reduction.h"
#include "slab.h"
#include "team.h"
#include "tsan.h"
#include "watch.h"

/* Number of tasks of a taskloop without clauses if race detection is on. */
enum { RACE_TASKS = 16 };

/*
 * Returns the number of tasks. Each gets `*each` iterations, the first `*longer` of them one more.
 */
static uint64_t divide(
    struct rt_thread *self, const struct rt_taskloop *taskloop, uint64_t *each, uint64_t *longer)
{
	uint64_t count = taskloop->count, tasks = taskloop->amount;

	if (taskloop->is_grainsize) {
		uint64_t grain = tasks != 0 ? tasks : 1;
		if (taskloop->is_strict) { /* each task has `grain` of them, the last the rest */
			*each = grain;
			*longer = 0;
			return (count - 1) / grain + 1;
		}
		tasks = count / grain; /* each has from `grain` to twice as many */
	} else if (tasks == 0) {
		tasks = rt_watched(RT_BY_RACE) ? RACE_TASKS : self->team->size;
	}
	if (tasks > count)
		tasks = count;
	if (tasks == 0)
		tasks = 1;
	*each = count / tasks;
	*longer = count % tasks;
	return tasks;
}

/* A taskloop while its tasks are made from it. Constant, except for `ranges`. */
struct rt_taskloop_division {
	const struct rt_taskloop *taskloop;
	uint64_t tasks, each, longer;
	/*
	 * For a division that may outlast its construct: the ranges that are not done, including
	 * that of the encountering thread. The thread that ends the last one (acq_rel) sees that no
	 * other needs the arguments.
	 */
	_Atomic uint32_t ranges;
};

/* A division that may outlast its construct, with its taskloop; from malloc(). */
struct lasting {
	struct rt_taskloop_division division;
	struct rt_taskloop taskloop;
};

/* The runtime's part of the construct may end while other threads still have tasks of it. */
static bool is_lasting(const struct rt_taskloop *taskloop)
{
	return taskloop->is_awaited;
}

static rt_task_fn *code_of(const struct rt_task_request *request)
{
	return request->code != NULL ? request->code : request->fn;
}

static void end_of(const struct rt_taskloop *taskloop)
{
	if (taskloop->finish != NULL)
		taskloop->finish(taskloop->request.data);
}

static void end_range(const struct rt_taskloop_division *division)
{
	struct rt_taskloop_division *shared = (struct rt_taskloop_division *)(uintptr_t)division;

	if (!is_lasting(division->taskloop))
		return;
	rt_tsan_release(&shared->ranges);
	if (sub_acq_rel(&shared->ranges, 1) != 1)
		return;
	rt_tsan_acquire(&shared->ranges);
	end_of(division->taskloop);
	free(shared); /* the first member of struct lasting */
}

/*
 * Sets the values of the loop variable from which task number `task` starts and before which it
 * ends. Returns the logical number of its first iteration.
 */
static inline uint64_t find_bounds(
    const struct rt_taskloop_division *division, uint64_t task, uint64_t bounds[2])
{
	const struct rt_taskloop *taskloop = division->taskloop;
	uint64_t longer = division->longer;
	uint64_t low = task * division->each + (task < longer ? task : longer);
	uint64_t high = low + division->each + (task < longer);

	bounds[0] = taskloop->start + low * taskloop->step;
	bounds[1] =
	    high >= taskloop->count ? taskloop->end : taskloop->start + high * taskloop->step;
	return low;
}

/* Generates a task whose arguments are made where they stay. */
static void generate_filled(struct rt_thread *self, const struct rt_taskloop_division *division,
    struct rt_task_request *request, const uint64_t bounds[4])
{
	const struct rt_taskloop *taskloop = division->taskloop;
	struct rt_task *task = request->made = rt_task_new(self, request->size);

	taskloop->fill(taskloop, task->data, task, bounds[0], bounds[1] - taskloop->step,
	    bounds[2] + bounds[3] == taskloop->count);
	if (rt_task_generate(self, request))
		return;
	if (taskloop->drop != NULL)
		taskloop->drop(task->data);
	rt_task_give_back(self, task);
}

/*
 * Generates the tasks one after the other, as if the program did. With nogroup the program is to
 * continue before they are completed, so they are queued as long as there is room. The same holds
 * if there are no more tasks than threads, so that each thread may get one.
 */
static void generate_each(struct rt_thread *self, const struct rt_taskloop_division *division)
{
	const struct rt_taskloop *taskloop = division->taskloop;
	struct rt_task_request request = taskloop->request;
	uint64_t bounds[4];

	request.bounds = bounds;
	for (uint64_t i = 0; i < division->tasks; i++) {
		bounds[2] = find_bounds(division, i, bounds);
		bounds[3] = division->each + (i < division->longer);
		if (bounds[2] + bounds[3] > taskloop->count)
			bounds[3] = taskloop->count - bounds[2];
		if (taskloop->has_group && taskloop->request.deferrable &&
		    !rt_watched(RT_BY_RACE) && division->tasks > self->team->size)
			request.deferrable = !rt_task_is_best_now(self);
		if (taskloop->fill != NULL)
			generate_filled(self, division, &request, bounds);
		else
			rt_task_generate(self, &request);
	}
	end_of(taskloop);
}

/* A task with a function that copies the arguments is executed even if it is cancelled. */
static void copy_range(void *to, void *from)
{
	*(struct rt_taskloop_range *)to = *(struct rt_taskloop_range *)from;
}

/* Makes the upper half of the range a task that others may take. */
static void share(struct rt_thread *self, struct rt_taskloop_range *range)
{
	struct rt_taskloop_range upper = *range;
	struct rt_task_request request = {.fn = rt_taskloop_run_range,
	    .data = &upper,
	    .size = sizeof(upper),
	    .align = _Alignof(struct rt_taskloop_range),
	    .deferrable = true,
	    .flags = range->division->taskloop->request.flags & RT_TASK_UNTIED};
	struct rt_taskloop_division *division =
	    (struct rt_taskloop_division *)(uintptr_t)range->division;

	if (is_lasting(division->taskloop)) {
		request.copy = copy_range;
		add_relaxed(&division->ranges, 1);
	}

	upper.first = range->last -= (range->last - range->first) / 2;
	rt_task_generate(self, &request);
}

/* State of measuring the tasks of a range. */
struct timing {
	uint64_t look;  /* the task before which to consider sharing */
	uint64_t from;  /* the first task that ... */
	uint64_t begun; /* ... began at that time, and has not been counted yet */
};

static void measure(struct rt_taskloop_range *range, struct timing *timing)
{
	uint64_t now = rt_cycles();

	if (range->first > timing->from)
		range->cycles = (now - timing->begun) / (range->first - timing->from);
	timing->from = range->first;
	timing->begun = now;
}

/*
 * The deque is empty, so other threads would find nothing to steal. Sharing tasks costs a few
 * transfers of cache lines and, at the end, the wait for the thread that has them. So if the
 * remaining tasks are tiny, the thread executes them itself. It measures them a few times on the
 * way, so that most of them can still be shared if they turn out to take longer.
 */
static void consider_sharing(
    struct rt_thread *self, struct rt_taskloop_range *range, struct timing *timing)
{
	enum { CYCLES_TO_SHARE = 16000, LOOKS = 8 };
	uint64_t rest = range->last - range->first - 1;

	measure(range, timing);
	if (range->cycles > CYCLES_TO_SHARE || rest * range->cycles > CYCLES_TO_SHARE) {
		if (rest > 0)
			share(self, range);
	} else {
		timing->look = range->first + 1 + rest / LOOKS;
	}
}

static inline void fill(
    const struct rt_taskloop_division *division, uint64_t number, uint64_t *data)
{
	const struct rt_taskloop *taskloop = division->taskloop;
	const struct rt_task_request *request = &taskloop->request;
	uint64_t bounds[2];

	if (unlikely(taskloop->fill != NULL)) {
		find_bounds(division, number, bounds);
		taskloop->fill(taskloop, data, NULL, bounds[0], bounds[1] - taskloop->step,
		    number == division->tasks - 1);
		return;
	}
	find_bounds(division, number, data);
	if (request->size > sizeof(bounds))
		memcpy(data + 2, (char *)request->data + sizeof(bounds),
		    request->size - sizeof(bounds));
}

/* Executes the tasks that others do not steal. Returns how long a task takes. */
static uint64_t run_range(struct rt_thread *self, struct rt_taskloop_range range, bool shares)
{
	const struct rt_task_request *request = &range.division->taskloop->request;
	struct timing timing = {range.first, range.first, 0};
	_Alignas(PROCESSOR_LINE) uint64_t data[RT_SLAB_ARGUMENT_BYTES / sizeof(uint64_t)];
	struct rt_task *task = rt_task_begin_in_place(self, request);

	while (range.first < range.last) {
		if (shares && range.first >= timing.look && rt_deque_is_empty(&self->member->deque))
			consider_sharing(self, &range, &timing);
		fill(range.division, range.first++, data);
		if (likely(rt_task_call_in_place(self, task, request->fn, data, true)))
			continue;
		rt_task_complete_in_place(self, task);
		task = rt_task_begin_in_place(self, request);
	}
	rt_task_end_in_place(self, task, true);
	if (timing.begun != 0)
		measure(&range, &timing);
	return range.cycles;
}

void rt_taskloop_run_range(void *range)
{
	const struct rt_taskloop_division *division = ((struct rt_taskloop_range *)range)->division;

	run_range(rt_current, *(struct rt_taskloop_range *)range, true);
	end_range(division);
}

/*
 * The tasks go to threads by halves. A thread that has a range of them executes one after the
 * other; when its deque has become empty, it puts the upper half of the rest there. So one steal
 * takes many tasks, and tasks that are not stolen are never queued. The time that a task takes is
 * unknown the first time and assumed to be long; later it is what it was the last time. If there
 * are no more tasks than threads, the program probably means one for each thread, and all are
 * shared.
 */
static void run_all(struct rt_thread *self, const struct rt_taskloop_division *division)
{
	const struct rt_task_request *request = &division->taskloop->request;
	struct rt_taskloop_timing *timing = &self->member->taskloop_timing;
	struct rt_taskloop_range range = {
	    division, code_of(request), 0, division->tasks, UINT64_MAX};
	bool shares =
	    request->deferrable && self->team->size > 1 && !(self->task->flags & RT_TASK_FINAL);

	if (timing->fn == code_of(request) && division->tasks > self->team->size)
		range.cycles = timing->cycles;
	range.cycles = run_range(self, range, shares);
	if (shares)
		*timing = (struct rt_taskloop_timing){code_of(request), range.cycles};
}

/*
 * The tasks of a range read the arguments where the program put them, so the program has to wait
 * for all of them. Code that constructs arguments has to do so in the thread that encounters the
 * construct.
 */
static bool can_be_shared(const struct rt_taskloop *taskloop)
{
	const struct rt_task_request *request = &taskloop->request;

	return (taskloop->has_group || is_lasting(taskloop)) && !taskloop->is_apart &&
	       !rt_watched(RT_BY_RACE) && request->copy == NULL && request->priority == 0 &&
	       request->size <= RT_SLAB_ARGUMENT_BYTES && request->align <= PROCESSOR_LINE;
}

static inline void begin(struct rt_thread *self, const struct rt_taskloop *taskloop,
    struct rt_taskloop_division *division)
{
	*division = (struct rt_taskloop_division){.taskloop = taskloop};
	if (taskloop->reductions != NULL)
		rt_reduction_register(self, taskloop->reductions);
	if (taskloop->count != 0)
		division->tasks = divide(self, taskloop, &division->each, &division->longer);
}

static __attribute__((noinline)) void run_lasting(
    struct rt_thread *self, const struct rt_taskloop *taskloop)
{
	struct lasting *lasting = malloc(sizeof(*lasting));

	if (lasting == NULL)
		rt_fatal("no memory for a taskloop; the program ends here");
	lasting->taskloop = *taskloop;
	begin(self, &lasting->taskloop, &lasting->division);
	store_relaxed(&lasting->division.ranges, 1);
	run_all(self, &lasting->division);
	end_range(&lasting->division);
}

void rt_taskloop(struct rt_thread *self, const struct rt_taskloop *taskloop)
{
	struct rt_taskloop_division division;
	bool shared = can_be_shared(taskloop);

	if (shared && unlikely(is_lasting(taskloop))) {
		run_lasting(self, taskloop);
		return;
	}
	if (taskloop->has_group)
		rt_taskgroup_begin(self);
	begin(self, taskloop, &division);
	if (shared)
		run_all(self, &division);
	else
		generate_each(self, &division);
	if (taskloop->has_group)
		rt_taskgroup_end(self);
	if (shared)
		end_of(taskloop);
}

void rt_taskloop_generate(struct rt_thread *self, const struct rt_taskloop *taskloop)
{
	struct rt_taskloop_division division;

	begin(self, taskloop, &division);
	generate_each(self, &division);
}
