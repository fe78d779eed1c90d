/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a tool sees of tasks: no event names a task after the task's last event, even if one thread
 * names it as a predecessor while another thread completes it; and of a detachable task's body and
 * event, the tool sees the first step before the last. The tool keeps a record of each task in the
 * task's word and frees it at the last event, so it relies on the runtime for the order.
 */
#include <stdlib.h>

#include "check.h"
#include "events.h"
#include "omp-tools.h"
#include "process.h"
#include "task-pair.h"

struct record {
	int events; /* except its creation and its end */
	ompt_task_status_t first;
};

static int created, ended;

static void see_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task,
    int flags, int has_dependences, const void *codeptr)
{
	(void)encountering;
	(void)frame;
	(void)flags;
	(void)has_dependences;
	(void)codeptr;
	task->ptr = calloc(1, sizeof(struct record));
	created++;
}

static void see_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	struct record *record = prior->ptr;

	(void)next;
	switch (status) {
	case ompt_task_detach:
	case ompt_task_early_fulfill:
		EXPECT(record->events == 0);
		record->events = 1;
		record->first = status;
		break;
	case ompt_task_late_fulfill:
		EXPECT(record->first == ompt_task_detach);
		/* fall through */
	case ompt_task_complete:
		EXPECT(status != ompt_task_complete || record->first != ompt_task_detach);
		free(record);
		ended++;
		break;
	default:
		break;
	}
}

static void see_dependence(ompt_data_t *source, ompt_data_t *sink)
{
	struct record *record = source->ptr;

	(void)sink;
	record->events++;
}

static void listen(ompt_callbacks_t event, ompt_callback_t callback)
{
	store_relaxed(&rt_events.callbacks[event], callback);
	store_relaxed(&rt_events.set, load_relaxed(&rt_events.set) | RT_EVENT_BIT(event));
}

static struct rt_thread *begin(void)
{
	struct rt_thread *self = pair_begin();

	rt_watch(RT_BY_TOOL);
	store_relaxed(&rt_events.set, RT_EVENT_BIT(RT_TOOL_ATTACHED));
	listen(ompt_callback_task_create, (ompt_callback_t)see_create);
	listen(ompt_callback_task_schedule, (ompt_callback_t)see_schedule);
	listen(ompt_callback_task_dependence, (ompt_callback_t)see_dependence);
	return self;
}

static void nothing(void *argument)
{
	(void)argument;
}

static void name_predecessor(void)
{
	static int x;
	void *depend[] = {(void *)1, (void *)1, &x};
	struct rt_thread *self = begin();

	pair_generate(self, nothing, NULL, depend);
	check_start(pair_execute, pair_take(self));
	pair_generate(self, nothing, NULL, depend);
	check_join();
	rt_task_wait(self);
	EXPECT(created == 2 && ended == 2);
}
HARNESS(task_tool_dependence, "a task is named to a tool while another thread completes it") = {
    .run = name_predecessor};

static void *event;

static void fulfil(void *argument)
{
	(void)argument;
	rt_task_fulfill(pair_enter_outside(), (uintptr_t)event);
}

/* A detachable task that no thread has begun. */
static struct rt_task *make_detachable(struct rt_thread *self)
{
	void *data[2] = {NULL, NULL};
	struct rt_task_request request = {.fn = nothing,
	    .data = data,
	    .size = sizeof(data),
	    .align = _Alignof(void *),
	    .deferrable = true,
	    .flags = RT_TASK_DETACHABLE,
	    .event = &event};

	rt_task_generate(self, &request);
	return pair_take(self);
}

static void execute_and_fulfil(struct rt_thread *self, struct rt_task *task)
{
	check_start(fulfil, NULL);
	rt_task_execute(self, task);
	check_join();
	rt_task_wait(self);
	EXPECT(created == 1 && ended == 1);
}

static void fulfil_against_body(void)
{
	struct rt_thread *self = begin();
	struct rt_task *task;

	task = make_detachable(self);
	execute_and_fulfil(self, task);
}
HARNESS(task_tool_detach, "a tool sees the first of body and event before the last") = {
    .run = fulfil_against_body};

static void see_cancel(ompt_data_t *task, int flags, const void *codeptr)
{
	(void)codeptr;
	if ((flags & ompt_cancel_discarded_task) == 0)
		return;
	free(task->ptr);
	ended++;
}

/* The task is discarded, which is its last event, or its event is seen before that. */
static void fulfil_against_discard(void)
{
	struct rt_thread *self = begin();
	struct rt_task *task;

	rt_watch(RT_BY_CANCELLATION);
	listen(ompt_callback_cancel, (ompt_callback_t)see_cancel);
	task = make_detachable(self);
	store_relaxed(&pair_team.cancelled, 1);
	execute_and_fulfil(self, task);
}
HARNESS(task_tool_discard, "the event of a task is fulfilled while the task is discarded") = {
    .run = fulfil_against_discard};
