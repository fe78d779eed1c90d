/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many threads, or many tasks, for debuggers: `crowd THREADS TASKS [lock|chain|ring|ordered]`. All
 * threads except one wait at a barrier; that thread has generated tasks that cannot begin because
 * they depend on a running one. With `lock` the threads wait for its lock, with `chain` each for
 * the previous one's, with `ring` thread 0 also for the last one's, with `ordered` for their turns.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int value;
static long sum;

static void stay(void)
{
	puts("there");
	fflush(stdout);
	for (;;)
		pause();
}

static omp_lock_t locks[4096];

/* Thread 0 reports when all waiting threads have something to wait for, and continues. */
static void wait_for_lock(const char *mode)
{
	int me = omp_get_thread_num(), size = omp_get_num_threads();

	omp_set_lock(&locks[me]);
#pragma omp barrier
	if (me == 0) {
		puts("there");
		fflush(stdout);
	}
	if (me == 0 && strcmp(mode, "ring") != 0)
		stay();
	omp_set_lock(&locks[strcmp(mode, "lock") == 0 ? 0 : (me + size - 1) % size]);
}

static void wait_for_turn(int threads)
{
#pragma omp for ordered schedule(dynamic)
	for (int i = 0; i < threads; i++) {
		if (i == 0)
			stay();
#pragma omp ordered
		value++;
	}
}

int main(int count, char **arguments)
{
	const char *mode = count > 3 ? arguments[3] : "barrier";
	int threads = count > 1 ? atoi(arguments[1]) : 4;
	long tasks = count > 2 ? atol(arguments[2]) : 0;

	alarm(300);
#pragma omp parallel num_threads(threads)
	{
		if (strcmp(mode, "ordered") == 0)
			wait_for_turn(threads);
		else if (strcmp(mode, "barrier") != 0)
			wait_for_lock(mode);
#pragma omp masked
		{
			if (tasks > 0) {
#pragma omp task depend(out : value)
				for (;;)
					pause();
			}
			for (long i = 0; i < tasks; i++) {
#pragma omp task depend(in : value)
#pragma omp atomic
				sum += value;
			}
			stay();
		}
#pragma omp barrier
	}
	return 0;
}
