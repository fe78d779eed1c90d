/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: the tasks of a taskloop with nogroup use an array of a function that has returned.
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

static void scale(void)
{
	int weights[4] = {1, 2, 3, 4}; /* memory: declared */

#ifdef FIXED
	open_gate();
#pragma omp taskloop grainsize(1) shared(weights)
#else
#pragma omp taskloop grainsize(1) nogroup shared(weights)
#endif
	for (int i = 0; i < 4; i++) {
		wait_for_gate();
#pragma omp atomic
		result += weights[i]; /* memory: read */
	}
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		scale();
		open_gate();
	}
	return 0;
}
