/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The process ends by exit(): the tool gets the end of each thread that waits for a region, nested
 * teams included, by that thread, and that of the initial thread and its task; then it is
 * finalized. The workers themselves stay: what the program would do at their end does not happen,
 * whichever locks are held. A handler of exit() that comes later has its regions, and no events.
 */
#include <omp.h>
#include <pthread.h>

#include "check.h"
#include "omp-tools.h"

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
/* Of all threads, atomic; the rest is written by the main thread alone. */
static int events, workers_begun, workers_ended, initial_begun, initial_ended, task_ended;
static int finalized, events_before;
static _Thread_local ompt_data_t *own;

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
	count(&events);
	count(type == ompt_thread_initial ? &initial_begun : &workers_begun);
	thread->value = type;
	own = thread;
}

static void on_thread_end(ompt_data_t *thread)
{
	CHECK(own == thread);
	own = NULL;
	count(&events);
	count(thread->value == ompt_thread_initial ? &initial_ended : &workers_ended);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, unsigned size, unsigned index, int flags)
{
	(void)parallel, (void)task, (void)size, (void)index;
	CHECK(own != NULL);
	count(&events);
	if (endpoint == ompt_scope_end && (flags & ompt_task_initial))
		count(&task_ended);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device, (void)data;
	set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
	set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
	set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
	finalized++;
	events_before = events;
	CHECK_EQUAL(workers_ended, workers_begun);
	CHECK_EQUAL(initial_begun, 1);
	CHECK_EQUAL(initial_ended, 1);
	CHECK_EQUAL(task_ended, 2); /* of the target region, and of the thread */
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};

	(void)version, (void)runtime;
	return &result;
}

static void at_end_of_thread(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&held);
	_exit(1);
}

static void member(int *members)
{
	count(members);
	if (omp_get_thread_num() != 0)
		pthread_setspecific(key, members);
}

static void region(int threads)
{
	int members = 0;

#pragma omp parallel num_threads(threads)
	member(&members);
	CHECK_EQUAL(members, threads);
}

static void regions(void)
{
	region(4);
	region(2); /* two sleep alone */
#pragma omp parallel num_threads(2)
	region(3);
}

static void check_at_exit(void)
{
	CHECK_EQUAL(finalized, 1);
	regions();
	region(6); /* needs new threads */
	CHECK_EQUAL(events, events_before);
	if (check_result() != 0)
		_exit(1);
}

int main(void)
{
	atexit(check_at_exit); /* before the first use of the runtime, so after the tool's end */
	check_alarm(20);
	pthread_key_create(&key, at_end_of_thread);
	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	regions();
#pragma omp target
	region(3);
	CHECK(workers_begun >= 3 + 2 + 2 + 2);
	pthread_mutex_lock(&held);
	exit(check_result());
}
