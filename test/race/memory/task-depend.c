/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a dependence orders two tasks, but not the end of the function whose variable they share.
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

static void chain(void)
{
	int step = 0; /* memory: declared */

#pragma omp task depend(out : result)
	wait_for_gate();
#pragma omp task depend(inout : result) shared(step)
	{
		step += 2; /* memory: write */
		result = 1;
	}
#ifdef FIXED
	open_gate();
#pragma omp taskwait depend(in : result)
#endif
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		chain();
		open_gate();
	}
	return 0;
}
