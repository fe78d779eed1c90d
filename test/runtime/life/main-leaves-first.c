/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pthread_exit() in main: the process lives on in another thread that uses OpenMP, and its exit
 * status is what that thread says. The first thread's team must neither hang nor outlive it.
 */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

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

/*
 * AddressSanitizer of GCC 14 refuses to join main's thread, which it has not seen being made. There
 * the kernel says when it has ended.
 */
static void wait_for_end(pthread_t first)
{
#ifdef __SANITIZE_ADDRESS__
	char path[64], state = ' ';

	(void)first;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)getpid());
	while (state != 'Z') {
		FILE *file = fopen(path, "r");
		if (!CHECK(file != NULL) ||
		    !CHECK_EQUAL(fscanf(file, "%*d (%*[^)]) %c", &state), 1))
			break;
		fclose(file);
		sched_yield();
	}
#else
	CHECK_EQUAL(pthread_join(first, NULL), 0);
#endif
}

static void *survivor(void *argument)
{
	pthread_t first = *(pthread_t *)argument;

	CHECK_EQUAL(run_region(3), 3);
	wait_for_end(first);
	for (int i = 0; i < 20; i++)
		CHECK_EQUAL(run_region(1 + i % 4), 1 + i % 4);
	exit(check_result());
}

int main(void)
{
	static pthread_t first;
	pthread_t thread;

	check_alarm(20);
	omp_set_dynamic(0);
	first = pthread_self();
	CHECK_EQUAL(run_region(4), 4);
	if (pthread_create(&thread, NULL, survivor, &first) != 0)
		return 1;
	CHECK_EQUAL(run_region(4), 4);
	pthread_exit(NULL);
}
