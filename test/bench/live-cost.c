/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of short regions for live-cost.py: each number on standard input is a number of regions,
 * after which it prints the processor time that they took, in ns. Each region has a loop, tasks and
 * critical sections. live-cost THREADS.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LENGTH = 1024, TASKS = 4 };

static double values[LENGTH];

/* Of all threads of the process, those of the measurement with it. */
static uint64_t processor_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void execute(int threads)
{
#pragma omp parallel num_threads(threads)
	{
#pragma omp for
		for (int i = 0; i < LENGTH; i++)
			values[i] = values[i] * 0.999 + i;
#pragma omp single
		for (int i = 0; i < TASKS; i++) {
#pragma omp task
#pragma omp critical
			values[0]++;
		}
	}
}

int main(int count, char **words)
{
	int threads = count > 1 ? atoi(words[1]) : 1;
	long regions;

	while (scanf("%ld", &regions) == 1) {
		uint64_t begin = processor_time();
		for (long i = 0; i < regions; i++)
			execute(threads);
		printf("%" PRIu64 "\n", processor_time() - begin);
		fflush(stdout);
	}
	return values[0] < 0;
}
