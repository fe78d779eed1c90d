/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a task shares an array of a block that ends before the task is executed.
 */
#include <sched.h>

static int result;

/* Tasks wait for it, so that the function that generates them comes first. */
static int gate;

static void open_gate(void)
{
#pragma omp atomic write
	gate = 1;
}

static void wait_for_gate(void)
{
	int is_open;

	do {
		sched_yield();
#pragma omp atomic read
		is_open = gate;
	} while (!is_open);
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		for (int i = 0; i < 1; i++) {
			int values[2] = {i, 3}; /* memory: declared */
#ifdef FIXED
#pragma omp task firstprivate(values)
#else
#pragma omp task shared(values)
#endif
			{
				wait_for_gate();
				result += values[1]; /* memory: read */
			}
		}
		open_gate();
	}
	return 0;
}
