/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tool inside a test program: it records what the runtime reports about tasks, so that the
 * program can check afterwards whether this matches what it did. Include it in one file; link with
 * -rdynamic, so that the runtime finds ompt_start_tool().
 *
 * Each data word gets a unique number when its object is created, and must still contain it at each
 * later event. Any other number is an immediate check failure.
 */
#ifndef RECORD_H
#define RECORD_H
#include <omp-tools.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum what {
	IMPLICIT,
	CREATE,
	SCHEDULE,
	DEPENDENCES,
	DEPENDENCE,
	SYNC,
	SYNC_WAIT,
	REDUCTION,
	WORK,
	DISPATCH,
	CANCEL,
};

struct event {
	enum what what;
	int thread;
	uint64_t task;  /* the event's task: encountering, prior, source, cancelled */
	uint64_t other; /* created, next or sink; 0: none; DISPATCH: the first iteration */
	int kind;       /* of region, of work, of dispatch, of dependence; prior_task_status */
	int endpoint;
	int flags; /* of the task, of cancel; CREATE: also has_dependences */
	bool has_dependences;
	uint64_t count; /* iterations; dependences */
	uint64_t parallel;
	const void *codeptr;
	const void *address; /* of the first dependence */
	ompt_frame_t frame;  /* CREATE: of the encountering task */
	ompt_dependence_t dependences[4];
};

enum { EVENTS = 1 << 20 };
static struct event record_events[EVENTS];
static int record_count, record_threads;
static uint64_t record_numbers;
static _Thread_local int record_thread;
static ompt_get_task_info_t record_task_info;
static ompt_get_task_memory_t record_task_memory;
static ompt_get_state_t record_state;
static ompt_get_parallel_info_t record_parallel_info;
static ompt_get_partition_place_nums_t record_partition;

static uint64_t record_number(void)
{
	return __atomic_add_fetch(&record_numbers, 1, __ATOMIC_RELAXED);
}

static struct event *record_new(enum what what)
{
	int place = __atomic_fetch_add(&record_count, 1, __ATOMIC_ACQ_REL);

	if (place >= EVENTS) {
		fprintf(stderr, "record.h: more than %d events\n", EVENTS);
		abort();
	}
	if (record_thread == 0)
		record_thread = __atomic_add_fetch(&record_threads, 1, __ATOMIC_RELAXED);
	record_events[place] = (struct event){.what = what, .thread = record_thread};
	return &record_events[place];
}

static uint64_t record_word(const ompt_data_t *data)
{
	if (data == NULL)
		return 0;
	CHECK(
	    data->value != 0 && data->value <= __atomic_load_n(&record_numbers, __ATOMIC_RELAXED));
	return data->value;
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
    unsigned requested, int flags, const void *codeptr)
{
	(void)task, (void)frame, (void)requested, (void)flags, (void)codeptr;
	parallel->value = record_number();
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, unsigned parallelism, unsigned index, int flags)
{
	struct event *event;

	(void)parallelism, (void)index;
	if (endpoint == ompt_scope_begin) {
		task->value = record_number();
		if (parallel != NULL && parallel->value == 0)
			parallel->value = record_number();
	}
	event = record_new(IMPLICIT);
	event->endpoint = endpoint;
	event->task = record_word(task);
	event->flags = flags;
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *created,
    int flags, int has_dependences, const void *codeptr)
{
	struct event *event = record_new(CREATE);

	CHECK_EQUAL(created->value, 0);
	created->value = record_number();
	event->task = record_word(task);
	event->other = created->value;
	event->flags = flags;
	event->has_dependences = has_dependences != 0;
	event->codeptr = codeptr;
	event->frame = *frame;
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	struct event *event = record_new(SCHEDULE);

	event->task = record_word(prior);
	event->kind = status;
	event->other = record_word(next);
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *dependences, int count)
{
	struct event *event = record_new(DEPENDENCES);

	event->task = record_word(task);
	event->count = (uint64_t)count;
	memcpy(event->dependences, dependences,
	    (size_t)(count < 4 ? count : 4) * sizeof(*dependences));
}

static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
	struct event *event = record_new(DEPENDENCE);

	event->task = record_word(source);
	event->other = record_word(sink);
}

static void record_region(enum what what, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	struct event *event;

	if (kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup &&
	    kind != ompt_sync_region_reduction)
		return;
	event = record_new(what);
	event->kind = kind;
	event->endpoint = endpoint;
	event->parallel = parallel != NULL ? parallel->value : 0;
	event->task = record_word(task);
	event->codeptr = codeptr;
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	record_region(SYNC, kind, endpoint, parallel, task, codeptr);
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	record_region(SYNC_WAIT, kind, endpoint, parallel, task, codeptr);
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	record_region(REDUCTION, kind, endpoint, parallel, task, codeptr);
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, uint64_t count, const void *codeptr)
{
	struct event *event;

	if (kind != ompt_work_taskloop)
		return;
	event = record_new(WORK);
	event->kind = kind;
	event->endpoint = endpoint;
	event->parallel = parallel != NULL ? parallel->value : 0;
	event->task = record_word(task);
	event->count = count;
	event->codeptr = codeptr;
}

static void on_dispatch(
    ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance)
{
	struct event *event;

	if (kind != ompt_dispatch_taskloop_chunk)
		return;
	event = record_new(DISPATCH);
	event->kind = kind;
	event->parallel = parallel != NULL ? parallel->value : 0;
	event->task = record_word(task);
	event->other = ((ompt_dispatch_chunk_t *)instance.ptr)->start;
	event->count = ((ompt_dispatch_chunk_t *)instance.ptr)->iterations;
}

static void on_cancel(ompt_data_t *task, int flags, const void *codeptr)
{
	struct event *event = record_new(CANCEL);

	event->task = record_word(task);
	event->flags = flags;
	event->codeptr = codeptr;
}

static int record_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device, (void)data;
	record_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	record_task_memory = (ompt_get_task_memory_t)lookup("ompt_get_task_memory");
	record_state = (ompt_get_state_t)lookup("ompt_get_state");
	record_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
	record_partition = (ompt_get_partition_place_nums_t)lookup("ompt_get_partition_place_nums");
#define SET(name) CHECK(set(ompt_callback_##name, (ompt_callback_t)on_##name) != ompt_set_error)
	SET(parallel_begin);
	SET(implicit_task);
	SET(task_create);
	SET(task_schedule);
	SET(dependences);
	SET(task_dependence);
	SET(sync_region);
	SET(sync_region_wait);
	SET(reduction);
	SET(work);
	SET(dispatch);
	SET(cancel);
#undef SET
	return 1;
}

static void record_finalize(ompt_data_t *data)
{
	(void)data;
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(
    unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {record_initialize, record_finalize, {0}};

	(void)version, (void)runtime;
	return &result;
}

/* The number of events for which the condition on `event` holds. */
#define COUNT_EVENTS(condition)                                                                    \
	({                                                                                         \
		int found = 0;                                                                     \
		for (int at = 0; at < record_count; at++) {                                        \
			const struct event *event = &record_events[at];                            \
			found += (condition) ? 1 : 0;                                              \
		}                                                                                  \
		found;                                                                             \
	})

/* The index of the first event for which the condition holds; -1: none. */
#define FIRST_EVENT(condition)                                                                     \
	({                                                                                         \
		int first = -1;                                                                    \
		for (int at = 0; at < record_count && first < 0; at++) {                           \
			const struct event *event = &record_events[at];                            \
			if (condition)                                                             \
				first = at;                                                        \
		}                                                                                  \
		first;                                                                             \
	})

enum { RECORD_TASKS = 1 << 18, RECORD_THREADS = 256, RECORD_DEPTH = 512 };

/* The task that a thread executes, and below it those that it has suspended. */
struct record_stack {
	uint64_t tasks[RECORD_DEPTH];
	int depth;
};

static bool record_push(struct record_stack *stack, uint64_t prior, uint64_t next)
{
	if (stack->depth == 0) /* an initial task that began before the recording */
		stack->tasks[stack->depth++] = prior;
	if (!CHECK_EQUAL(prior, stack->tasks[stack->depth - 1]) ||
	    !CHECK(stack->depth < RECORD_DEPTH))
		return false;
	stack->tasks[stack->depth++] = next;
	return true;
}

static bool record_pop(struct record_stack *stack, uint64_t prior, uint64_t next)
{
	if (!CHECK(stack->depth > 1) || !CHECK_EQUAL(prior, stack->tasks[stack->depth - 1]))
		return false;
	stack->depth--;
	return CHECK_EQUAL(next, stack->tasks[stack->depth - 1]);
}

static void record_implicit(const struct event *event, struct record_stack *stack)
{
	if (event->endpoint == ompt_scope_begin && CHECK(stack->depth < RECORD_DEPTH))
		stack->tasks[stack->depth++] = event->task;
	else if (stack->depth > 0 && CHECK_EQUAL(event->task, stack->tasks[stack->depth - 1]))
		stack->depth--;
}

enum life { UNKNOWN, CREATED, DISCARDED, BEGUN, DETACHED, FULFILLED, COMPLETE };

static uint64_t record_top(const struct record_stack *stack)
{
	return stack->depth > 0 ? stack->tasks[stack->depth - 1] : 0;
}

static bool record_schedule(
    const struct event *event, unsigned char *lives, struct record_stack *stack)
{
	unsigned char *prior = &lives[event->task], *next = &lives[event->other];

	switch (event->kind) {
	case ompt_task_switch:
	case ompt_task_yield:
		if (!CHECK(*next == CREATED || *next == FULFILLED))
			return false;
		if (*next == CREATED)
			*next = BEGUN;
		return record_push(stack, event->task, event->other);
	case ompt_task_complete:
	case ompt_task_cancel:
		if (*prior == DISCARDED && event->kind == ompt_task_cancel) {
			*prior = COMPLETE;
			return CHECK_EQUAL(event->other, record_top(stack));
		}
		if (!CHECK(*prior == BEGUN || *prior == FULFILLED))
			return false;
		*prior = COMPLETE;
		return record_pop(stack, event->task, event->other);
	case ompt_task_detach:
		if (!CHECK_EQUAL(*prior, BEGUN))
			return false;
		*prior = DETACHED;
		return record_pop(stack, event->task, event->other);
	case ompt_task_early_fulfill:
		if (!CHECK(*prior == CREATED || *prior == BEGUN))
			return false;
		*prior = FULFILLED;
		return CHECK_EQUAL(event->other, 0);
	case ompt_task_late_fulfill:
		if (!CHECK_EQUAL(*prior, DETACHED))
			return false;
		*prior = COMPLETE;
		return CHECK_EQUAL(event->other, 0);
	case ompt_taskwait_complete:
		if (!CHECK_EQUAL(*prior, CREATED))
			return false;
		*prior = COMPLETE;
		return CHECK_EQUAL(event->other, 0);
	default:
		return CHECK_EQUAL(event->kind, ompt_task_switch);
	}
}

/*
 * Call it after the last region. Each task was created, scheduled once and then complete once, or
 * was discarded; and each thread executed its tasks like a stack. A task that was fulfilled before
 * it began is not distinguished from one that began, because the programs here do not do that.
 */
static void record_check_lives(void)
{
	static unsigned char lives[RECORD_TASKS];
	static struct record_stack stacks[RECORD_THREADS];

	CHECK(record_numbers < RECORD_TASKS);
	memset(lives, UNKNOWN, sizeof(lives));
	memset(stacks, 0, sizeof(stacks));
	for (int i = 0; i < record_count; i++) {
		const struct event *event = &record_events[i];
		if (event->what == CREATE) {
			CHECK_EQUAL(lives[event->other], UNKNOWN);
			lives[event->other] = CREATED;
		} else if (event->what == CANCEL && (event->flags & ompt_cancel_discarded_task)) {
			CHECK_EQUAL(lives[event->task], CREATED);
			lives[event->task] = DISCARDED;
		} else if (event->what == IMPLICIT) {
			record_implicit(event, &stacks[event->thread]);
		} else if (event->what == SCHEDULE &&
			   !record_schedule(event, lives, &stacks[event->thread])) {
			fprintf(stderr, "event %d: task %llu, status %d, then task %llu\n", i,
			    (unsigned long long)event->task, event->kind,
			    (unsigned long long)event->other);
			return;
		}
	}
	for (uint64_t task = 0; task < record_numbers; task++)
		CHECK(lives[task] == UNKNOWN || lives[task] == COMPLETE);
	for (int thread = 0; thread < RECORD_THREADS; thread++)
		CHECK(stacks[thread].depth <= 1);
}

/* The number of the current task, or of an ancestor; 0 if there is none. */
static inline uint64_t record_current(int ancestor)
{
	ompt_data_t *data = NULL;

	return record_task_info(ancestor, NULL, &data, NULL, NULL, NULL) == 2 ? data->value : 0;
}

/* Forgets what was recorded; no task may be running. */
static inline void record_clear(void)
{
	record_check_lives();
	record_count = 0;
}

#endif
