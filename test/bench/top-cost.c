/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fixed number of short regions, tasks and critical sections: prints a line when it has begun,
 * and then their processor time in s.
 */
#include <omp.h>
#include <stdio.h>
#include <sys/resource.h>

enum { REGIONS = 120000, LENGTH = 4096, TASKS = 4 };

static double values[LENGTH];

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

int main(void)
{
	struct rusage usage;
	double sum = 0;

	puts("begun");
	fflush(stdout);
	for (int region = 0; region < REGIONS; region++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
		{
#pragma omp for nowait
			for (int i = 0; i < LENGTH; i++) {
				values[i] = values[i] * 0.999 + i;
				sum += values[i];
			}
#pragma omp single
			for (int i = 0; i < TASKS; i++) {
#pragma omp task
#pragma omp critical
				values[0]++;
			}
		}
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%.6f\n", seconds(usage.ru_utime) + seconds(usage.ru_stime));
	return sum < 0;
}
