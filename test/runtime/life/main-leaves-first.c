/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pthread_exit() in main: the process lives on in another thread that uses OpenMP, and its exit
 * status is what that thread says. The first thread's team must neither hang nor outlive it.
 */
#include <omp.h>
#include <pthread.h>

#include "check.h"

static int run_region(int threads)
{
	int arrived = 0;

#pragma omp parallel num_threads(threads)
	{
		count(&arrived);
#pragma omp barrier
	}
	return arrived;
}

static void *survivor(void *argument)
{
	pthread_t first = *(pthread_t *)argument;

	CHECK_EQUAL(run_region(3), 3);
	pthread_join(first, NULL);
	for (int i = 0; i < 20; i++)
		CHECK_EQUAL(run_region(1 + i % 4), 1 + i % 4);
	exit(check_result());
}

int main(void)
{
	static pthread_t first;
	pthread_t thread;

	alarm(20);
	omp_set_dynamic(0);
	first = pthread_self();
	CHECK_EQUAL(run_region(4), 4);
	if (pthread_create(&thread, NULL, survivor, &first) != 0)
		return 1;
	CHECK_EQUAL(run_region(4), 4);
	pthread_exit(NULL);
}
