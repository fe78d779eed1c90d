/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a task shares an array of the function that generates it, which returns without a wait.
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

static void start(int number)
{
	int pair[2] = {number, number}; /* memory: declared */

#pragma omp task shared(pair)
	{
		wait_for_gate();
		result = pair[0] + pair[1]; /* memory: read */
	}
#ifdef FIXED
	open_gate();
#pragma omp taskwait
#endif
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		start(21);
		open_gate();
	}
#ifdef FIXED
	return result != 42;
#else
	return 0;
#endif
}
