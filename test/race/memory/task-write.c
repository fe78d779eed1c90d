/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a task writes its result to a variable of the function that has generated it.
 */
#include <sched.h>
#include <stdlib.h>

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

static void compute(void)
{
#ifdef FIXED
	int *answer = malloc(sizeof *answer);

#pragma omp task firstprivate(answer)
	{
		wait_for_gate();
		*answer = 42;
		free(answer);
	}
#else
	int answer; /* memory: declared */
	int *where = &answer;

#pragma omp task firstprivate(where)
	{
		wait_for_gate();
		*where = 42; /* memory: write */
	}
#endif
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		compute();
		open_gate();
	}
	return 0;
}
