/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many threads of the program use the runtime first at the same time: the tool is started once, no
 * event comes before its initializer has returned, and each thread has its begin and, when it ends,
 * the ends of what the runtime made for it. omp_pause_resource_all() ends threads, but no tool.
 */
#include <omp.h>
#include <pthread.h>

#include "check.h"
#include "omp-tools.h"

enum { ROOTS = 8, TEAM = 3 };

static int starts, initialized, finalized, early;
static int begun[5], ended, tasks_begun, tasks_ended;
static _Thread_local ompt_data_t *own;

static int increase(int *counter)
{
	return __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST);
}

static int read_of(int *counter)
{
	return __atomic_load_n(counter, __ATOMIC_SEQ_CST);
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
	if (read_of(&initialized) == 0)
		increase(&early);
	increase(&begun[type]);
	CHECK(own == NULL);
	own = data;
}

static void on_thread_end(ompt_data_t *data)
{
	CHECK(own == data);
	own = NULL;
	increase(&ended);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, unsigned size, unsigned index, int flags)
{
	(void)parallel, (void)task, (void)size, (void)index;
	CHECK(own != NULL);
	if (flags & ompt_task_initial)
		increase(endpoint == ompt_scope_begin ? &tasks_begun : &tasks_ended);
}

static int waiting; /* threads that are about to use the runtime */

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device, (void)data;
	set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
	set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
	set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
	while (read_of(&waiting) < ROOTS)
		sched_yield();
	for (int i = 0; i < 1000; i++)
		sched_yield(); /* the others come to the runtime now */
	increase(&initialized);
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
	finalized++;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};

	(void)version, (void)runtime;
	increase(&starts);
	return &result;
}

static omp_lock_t lock;

static void *root(void *argument)
{
	long number = (long)argument;

	increase(&waiting);
	if (number % 2 == 0) { /* without a record until then */
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
#pragma omp parallel num_threads(TEAM)
	count(&(int){0});
	CHECK_EQUAL(read_of(&initialized), 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[ROOTS];
	int roots = 0, workers;

	memset(&lock, 0, sizeof(lock)); /* unlocked; omp_init_lock() would be the first use */
	for (long i = 0; i < ROOTS; i++)
		roots += pthread_create(&threads[i], NULL, root, (void *)i) == 0;
	if (!CHECK_EQUAL(roots, ROOTS))
		_exit(1);
	for (int i = 0; i < ROOTS; i++)
		pthread_join(threads[i], NULL);
	CHECK_EQUAL(starts, 1);
	CHECK_EQUAL(initialized, 1);
	CHECK_EQUAL(early, 0);
	CHECK_EQUAL(begun[ompt_thread_initial], ROOTS);
	CHECK_EQUAL(begun[ompt_thread_worker], ROOTS * (TEAM - 1));
	CHECK_EQUAL(ended, ROOTS * TEAM);
	CHECK_EQUAL(tasks_begun, ROOTS);
	CHECK_EQUAL(tasks_ended, ROOTS);
#pragma omp parallel num_threads(TEAM)
	count(&(int){0});
	workers = begun[ompt_thread_worker];
	CHECK_EQUAL(omp_pause_resource_all(omp_pause_hard), 0);
	CHECK_EQUAL(ended, ROOTS * TEAM + TEAM - 1);
	CHECK_EQUAL(finalized, 0);
#pragma omp parallel num_threads(TEAM)
	count(&(int){0});
	CHECK_EQUAL(begun[ompt_thread_worker], workers + TEAM - 1);
	return check_result();
}
