/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a thread frees an array behind a loop with nowait that others still execute.
 */
#include <omp.h>
#include <sched.h>
#include <stdlib.h>

static int sums[2];

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
	int *values = calloc(2, sizeof *values);

#pragma omp parallel num_threads(2)
	{
#ifdef FIXED
#pragma omp for schedule(static, 1)
#else
#pragma omp for schedule(static, 1) nowait
#endif
		for (int i = 0; i < 2; i++) {
#ifdef FIXED
			open_gate();
#endif
			if (i == 1)
				wait_for_gate();
			sums[i] = values[i]; /* memory: read */
		}
#pragma omp master
		{
			free(values); /* memory: freed */
			open_gate();
		}
	}
	return sums[0];
}
