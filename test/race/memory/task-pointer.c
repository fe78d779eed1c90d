/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a task gets a copy of a pointer, but not of the array that the function owns.
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

static void sum_later(void)
{
#ifdef FIXED
	static
#endif
	    int numbers[8] = {1, 2, 3}; /* memory: declared */
	int *first = numbers;

#pragma omp task firstprivate(first)
	{
		wait_for_gate();
		for (int i = 0; i < 8; i++)
			result += first[i]; /* memory: read */
	}
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		sum_later();
		open_gate();
	}
	return 0;
}
