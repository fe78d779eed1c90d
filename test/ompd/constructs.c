/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constructs to stop in and to measure. The lines are marked, control.py looks for the marks. When
 * stop_here() is called, each loop has been visited by two threads, and the critical by two as
 * often.
 */
#include <stdio.h>
#include <unistd.h>

static int total;

static void __attribute__((noinline)) stop_here(void)
{
	printf("visits %d\n", total);
	fflush(stdout);
}

int main(void)
{
	int local = 0;

	for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2) /* region */
		{
#pragma omp critical(count)
			{
				total++; /* body */
				usleep(2000);
			}
#pragma omp single
			{
#pragma omp task shared(local) /* task */
				{
					local++; /* task body */
				}
			}
		}
	}
	stop_here();
	return local == 3 && total == 6 ? 0 : 1;
}
