/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * omp_pause_stop_tool (OpenMP 6.0): the resources are given back as by omp_pause_hard, and the tool
 * ends as at the end of the process: the events of the threads end, then comes its finalizer, once,
 * and no event after it, whichever thread continues. Within a region nothing is stopped.
 */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>

#include "check.h"
#include "omp-tools.h"

/* By its number: omp.h has the name since GCC 17. */
#define STOP_TOOL ((omp_pause_resource_t)3)

static ompt_set_callback_t set_callback;
/* Of all threads, atomic; the rest is written by the main thread alone. */
static int events, workers_begun, workers_ended, initial_begun, initial_ended, tasks_ended;
static int finalized, ended_before, events_before;

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
	thread->value = type;
	__atomic_add_fetch(&events, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(
	    type == ompt_thread_initial ? &initial_begun : &workers_begun, 1, __ATOMIC_RELAXED);
}

static void on_thread_end(ompt_data_t *thread)
{
	__atomic_add_fetch(&events, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(thread->value == ompt_thread_initial ? &initial_ended : &workers_ended,
	    1, __ATOMIC_RELAXED);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, unsigned parallelism, unsigned index, int flags)
{
	(void)parallel, (void)task, (void)parallelism, (void)index;
	__atomic_add_fetch(&events, 1, __ATOMIC_RELAXED);
	if (endpoint == ompt_scope_end && (flags & ompt_task_initial))
		__atomic_add_fetch(&tasks_ended, 1, __ATOMIC_RELAXED);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
    unsigned requested, int flags, const void *codeptr)
{
	(void)task, (void)frame, (void)parallel, (void)requested, (void)flags, (void)codeptr;
	__atomic_add_fetch(&events, 1, __ATOMIC_RELAXED);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	(void)device, (void)data;
	set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	set_callback(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
	set_callback(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
	set_callback(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
	set_callback(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
	return 1;
}

static void finalize(ompt_data_t *data)
{
	CHECK_EQUAL(data->value, 42);
	finalized++;
	ended_before = workers_ended + initial_ended;
	events_before = events;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {42}};

	(void)version, (void)runtime;
	return &result;
}

static void region(void)
{
	int members = 0;

#pragma omp parallel reduction(+ : members)
	{
		members++;
#pragma omp task
		count(&(int){0});
	}
	CHECK(members >= 1);
}

static void *other_thread(void *argument)
{
	region();
	CHECK_EQUAL(omp_pause_resource_all(STOP_TOOL), 0);
	return argument;
}

static void check_at_exit(void)
{
	CHECK_EQUAL(finalized, 1);
	CHECK_EQUAL(events, events_before);
	if (check_failures != 0)
		_exit(1);
}

int main(void)
{
	int (*control)(int, int, void *) =
	    (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
	pthread_t thread;

	atexit(check_at_exit);
	region();
	CHECK(events > 0);
#pragma omp parallel
	CHECK(omp_get_num_threads() == 1 || omp_pause_resource_all(STOP_TOOL) != 0);
	CHECK_EQUAL(omp_pause_resource(STOP_TOOL, 99), -1);
	CHECK_EQUAL(omp_pause_resource_all(omp_pause_hard), 0);
	CHECK_EQUAL(finalized, 0);
	region();

	CHECK_EQUAL(omp_pause_resource_all(STOP_TOOL), 0);
	CHECK_EQUAL(finalized, 1);
	CHECK_EQUAL(initial_begun, 1);
	CHECK_EQUAL(initial_ended, 1);
	CHECK_EQUAL(tasks_ended, 1);
	CHECK_EQUAL(workers_ended, workers_begun);
	CHECK_EQUAL(ended_before, workers_begun + 1);
	CHECK_EQUAL(events, events_before);
	region();
	CHECK_EQUAL(pthread_create(&thread, NULL, other_thread, NULL), 0);
	CHECK_EQUAL(pthread_join(thread, NULL), 0);
	CHECK_EQUAL(omp_pause_resource_all(STOP_TOOL), 0);
	region();
	CHECK_EQUAL(finalized, 1);
	CHECK_EQUAL(events, events_before);
	CHECK(control != NULL && control(1, 0, NULL) == -2); /* no tool */
	CHECK_EQUAL(set_callback(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin),
	    ompt_set_error);
	return check_result();
}
