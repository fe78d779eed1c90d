/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Activity queues (OpenACC 2.6, 2.16 and 3.2). Every operation is done before the call that
 * requests it returns, so every queue is empty, whatever its number: tests succeed and waits
 * return. OpenACC orders a queue's operations among themselves and against those that wait for it;
 * the program's order is one of the allowed orders.
 */
#include "acc-api.h"

int acc_async_test(int queue)
{
	(void)queue;
	return 1;
}

int acc_async_test_all(void)
{
	return 1;
}

void acc_wait(int queue)
{
	(void)queue;
}

void acc_async_wait(int queue)
{
	acc_wait(queue);
}

void acc_wait_async(int queue, int waiting_queue)
{
	(void)queue;
	(void)waiting_queue;
}

void acc_wait_all(void)
{
}

void acc_async_wait_all(void)
{
	acc_wait_all();
}

void acc_wait_all_async(int waiting_queue)
{
	(void)waiting_queue;
}

/* CUDA's objects for device and queues (OpenACC 2.6, A.2.1): the host has none. */
void *acc_get_current_cuda_device(void)
{
	return NULL;
}

void *acc_get_current_cuda_context(void)
{
	return NULL;
}

void *acc_get_cuda_stream(int queue)
{
	(void)queue;
	return NULL;
}

/* Refuses a stream, which could have no effect; to set none succeeds. */
int acc_set_cuda_stream(int queue, void *stream)
{
	(void)queue;
	return stream ? -1 : 0;
}
