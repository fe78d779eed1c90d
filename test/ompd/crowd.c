/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many threads, or many tasks, for debuggers: `crowd THREADS TASKS`. All threads but one wait at a
 * barrier; that one has generated tasks that cannot begin because they depend on one that goes on.
 */
#include <stdio.h>
#include <stdlib.h>
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

int main(int count, char **arguments)
{
	int threads = count > 1 ? atoi(arguments[1]) : 4;
	long tasks = count > 2 ? atol(arguments[2]) : 0;

	alarm(300);
#pragma omp parallel num_threads(threads)
	{
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
