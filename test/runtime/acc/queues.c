/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Activity queues of OpenACC 2.6, 2.16 and 3.2: chains of asynchronous constructs across queues end
 * in the requested order, and each way to wait for an activity returns only after its end.
 */
#include <openacc.h>

#include "check.h"

enum { SIZE = 64 };

static void chain(int *array, int queue)
{
#pragma acc parallel loop async(queue) copy(array [0:SIZE])
	for (int i = 0; i < SIZE; i++)
		array[i] = i;
#pragma acc parallel loop async(queue) copy(array [0:SIZE])
	for (int i = 0; i < SIZE; i++)
		array[i] = 2 * array[i] + 1;
#pragma acc kernels async(queue + 1) wait(queue) copy(array [0:SIZE])
	for (int i = 0; i < SIZE; i++)
		array[i] -= 2 * i;
#pragma acc update self(array [0:SIZE]) async(queue + 2) wait(queue + 1)
}

static void wait_by_directive(int queue)
{
#pragma acc wait(queue + 2)
}

static void wait_for_all(int queue)
{
	(void)queue;
#pragma acc wait
}

static void wait_on_queue(int queue)
{
#pragma acc wait(queue + 2, queue + 1) async(queue + 3)
	acc_wait(queue + 3);
}

static void call_wait(int queue)
{
	acc_wait(queue + 2);
}

static void call_old_wait(int queue)
{
	acc_async_wait(queue + 2);
}

static void call_wait_async(int queue)
{
	acc_wait_async(queue + 2, queue + 5);
	acc_wait(queue + 5);
}

static void call_wait_all(int queue)
{
	(void)queue;
	acc_wait_all();
}

static void call_old_wait_all(int queue)
{
	(void)queue;
	acc_async_wait_all();
}

static void call_wait_all_async(int queue)
{
	acc_wait_all_async(queue + 6);
	acc_wait(queue + 6);
}

static void test_until_done(int queue)
{
	double deadline = check_deadline(10);

	while (!acc_async_test(queue + 2) && keep_waiting(deadline))
		sched_yield();
}

static void test_all_until_done(int queue)
{
	double deadline = check_deadline(10);

	(void)queue;
	while (!acc_async_test_all() && keep_waiting(deadline))
		sched_yield();
}

int main(void)
{
	int stream;
	void (*const waits[])(int) = {wait_by_directive, wait_for_all, wait_on_queue, call_wait,
	    call_old_wait, call_wait_async, call_wait_all, call_old_wait_all, call_wait_all_async,
	    test_until_done, test_all_until_done};

	for (int i = 0; i < (int)(sizeof(waits) / sizeof(waits[0])); i++) {
		int array[SIZE] = {0};
		chain(array, 10 * i);
		waits[i](10 * i);
		CHECK(acc_async_test(10 * i + 2));
		CHECK_ALL(array, SIZE, 1);
	}
	CHECK(acc_async_test(acc_async_noval));
	CHECK(acc_get_current_cuda_device() == NULL);
	CHECK(acc_get_current_cuda_context() == NULL);
	CHECK(acc_get_cuda_stream(1) == NULL);
	CHECK_EQUAL(acc_set_cuda_stream(1, NULL), 0);
	CHECK(acc_set_cuda_stream(1, &stream) != 0);
	CHECK(acc_get_cuda_stream(1) == NULL);
	return check_result();
}
