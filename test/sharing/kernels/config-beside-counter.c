/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * static: a limit that all threads read all the time lies beside a counter that one of them writes.
 */
#include <omp.h>

enum { STEPS = 64000000 };

static struct {
	int limit;
#ifdef FIXED
	char apart[128];
#endif
	int progress;
} state = {.limit = 1000};

static int below(int value)
{
	return value % 2000 < *(volatile int *)&state.limit; /* sharing: false state */
}

int main(void)
{
	long found = 0;

#pragma omp parallel num_threads(2) reduction(+ : found)
	{
		int me = omp_get_thread_num();

		for (int i = 0; i < STEPS; i++) {
			found += below(i);
			if (me == 0 && (i & 1))
				(*(volatile int *)&state.progress)++; /* sharing: false state */
		}
	}
	return found == 0 || state.progress != STEPS / 2;
}
