/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The callbacks for explicit tasks. A task's data word is its record here. It is 0 for implicit and
 * initial tasks, and for explicit ones that the program measures itself. (An implicit task's word
 * is 1 while it is measured.) A record comes from a list of the thread that creates the task; the
 * thread that completes the task returns it to that list.
 *
 * Who sees what:
 *   returned   any thread pushes (release), the owner takes all (acquire): a record is complete
 *              again when it is reused
 *   the task   its threads use it one after the other; the runtime orders them
 *
 * A thread's list outlives the thread: the next thread without one takes it over.
 */
#include "tool.h"

#include "pomp-atomics.h"
#include "shared/processor.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct record {
	struct code_task task;
	struct list *owner;
	struct record *next;
};

struct list {
	struct record *spare;
	_Atomic(struct record *) returned;
	struct list *next; /* in free_lists */
};

enum { BLOCK = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for the lists without threads */
static struct list *free_lists;
static pthread_key_t end_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local struct list *own PROCESSOR_THREAD_LOCAL;

static void thread_ends(void *list)
{
	struct list *left = list;

	own = NULL;
	pthread_mutex_lock(&lock);
	left->next = free_lists;
	free_lists = left;
	pthread_mutex_unlock(&lock);
}

static void lock_lists(void)
{
	pthread_mutex_lock(&lock);
}

static void unlock_lists(void)
{
	pthread_mutex_unlock(&lock);
}

static void start(void)
{
	pthread_key_create(&end_key, thread_ends);
	pthread_atfork(lock_lists, unlock_lists, unlock_lists);
}

static struct list *list_of_thread(void)
{
	pthread_once(&once, start);
	pthread_mutex_lock(&lock);
	struct list *list = free_lists;
	if (list != NULL)
		free_lists = list->next;
	pthread_mutex_unlock(&lock);
	if (list == NULL)
		list = calloc(1, sizeof(*list));
	own = list;
	pthread_setspecific(end_key, list);
	return list;
}

static void make_records(struct list *list)
{
	struct record *block = calloc(BLOCK, sizeof(*block));

	for (unsigned i = 0; block != NULL && i < BLOCK; i++) {
		block[i].owner = list;
		block[i].next = list->spare;
		list->spare = &block[i];
	}
}

/* Returns NULL when memory ran out; the task is then not measured. */
static struct record *take_record(void)
{
	struct list *list = own != NULL ? own : list_of_thread();

	if (list == NULL)
		return NULL;
	if (list->spare == NULL)
		list->spare = exchange_acquire(&list->returned, NULL);
	if (list->spare == NULL)
		make_records(list);
	struct record *record = list->spare;
	if (record != NULL)
		list->spare = record->next;
	return record;
}

static void give_record(struct record *record)
{
	struct list *list = record->owner;

	if (list == own) {
		record->next = list->spare;
		list->spare = record;
		return;
	}
	record->next = load_relaxed(&list->returned);
	while (!replace_release(&list->returned, &record->next, record))
		;
}

static void create(ompt_data_t *task, int flags, struct code_address where)
{
	if (!(flags & ompt_task_explicit))
		return;
	struct record *record = take_record();
	if (record == NULL) {
		pomp_code_task_without_memory();
		return;
	}
	pomp_code_task_create(&record->task, where, flags & ompt_task_undeferred);
	if (record->task.number != 0)
		task->ptr = record;
	else
		give_record(record);
}

void tool_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task,
    int flags, int has_dependences, const void *codeptr_ra)
{
	(void)encountering;
	(void)frame;
	(void)has_dependences;
	create(task, flags, tool_return_address(tool_user_address(codeptr_ra)));
}

void tool_task_create_ours(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task,
    int flags, int has_dependences, const void *codeptr_ra)
{
	(void)encountering;
	(void)frame;
	(void)has_dependences;
	create(task, flags, tool_place(codeptr_ra, true));
}

static struct record *record_of(const ompt_data_t *task)
{
	return task != NULL && task->value > 1 ? task->ptr : NULL;
}

/* Of the runtimes of the process. Relaxed: only the addresses themselves are read. */
static _Atomic(ompt_get_task_info_t) infos[2];

/*
 * Where the runtime has called the task, if that is what the thread executes now: OpenMP 5.2,
 * 19.4.4.29 (exit_frame). The routine may be called in signal handlers (20.6.2.14), and records are
 * never freed.
 */
static uintptr_t frame_of_task(uint64_t number)
{
	for (size_t i = 0; i < sizeof(infos) / sizeof(infos[0]); i++) {
		ompt_get_task_info_t info = load_relaxed(&infos[i]);
		ompt_data_t *data = NULL, *parallel = NULL;
		ompt_frame_t *frame = NULL;
		int flags = 0, thread = 0;
		if (info == NULL || info(0, &flags, &data, &frame, &parallel, &thread) != 2)
			continue;
		const struct record *record = record_of(data);
		if (record != NULL && record->task.number == number && frame != NULL)
			return (uintptr_t)frame->exit_frame.ptr;
	}
	return 0;
}

void tool_ask_for_tasks(ompt_get_task_info_t info)
{
	store_relaxed(&infos[load_relaxed(&infos[0]) != NULL], info);
	pomp_code_find_task_frames_by(frame_of_task);
}

static bool is_on_this_thread(const struct record *record)
{
	return record != NULL && record->task.thread != NULL &&
	       record->task.thread == pomp_code_thread();
}

/*
 * The task that continues may have been on this thread's stack all the time, below the prior one.
 * If so, or if there is no such task, the prior task has left the stack. Otherwise `next` is put on
 * top of it.
 */
static void leave(struct record *prior, ompt_task_status_t status, const struct record *next)
{
	switch (status) {
	case ompt_task_complete:
	case ompt_task_cancel:
	case ompt_task_detach: /* its body has ended; only its completion is still to come */
		pomp_code_task_end(&prior->task);
		break;
	case ompt_task_yield:
	case ompt_task_switch:
		if (next == NULL || is_on_this_thread(next))
			pomp_code_task_suspend(&prior->task);
		break;
	case ompt_task_early_fulfill: /* it continues */
	case ompt_task_late_fulfill:  /* it has already ended */
	case ompt_taskwait_complete:
		break;
	}
}

void tool_task_schedule(ompt_data_t *prior_data, ompt_task_status_t status, ompt_data_t *next_data)
{
	struct record *prior = record_of(prior_data), *next = record_of(next_data);
	bool ends = status == ompt_task_complete || status == ompt_task_cancel ||
		    status == ompt_task_late_fulfill;

	if (prior != NULL)
		leave(prior, status, next);
	if (next != NULL && next != prior && !is_on_this_thread(next))
		pomp_code_task_begin(&next->task);
	if (prior != NULL && ends) {
		prior_data->ptr = NULL;
		give_record(prior);
	}
}
