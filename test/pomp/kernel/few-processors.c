/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads with equal work of a third of a second each, which need two processors. */
#include "regions.h"

#include <omp.h>

enum { PARALLEL, COUNT };

OMPRegDescr regions[COUNT] = {[PARALLEL] = REGION("parallel", "", 10)};
const int region_count = COUNT;

static double processor_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(void)
{
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(2)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		for (double end = processor_time() + 0.35; processor_time() < end;)
			for (volatile int i = 0; i < 10000; i++)
				continue;
		pomp_barrier_enter(&regions[PARALLEL]);
#pragma omp barrier
		pomp_barrier_exit(&regions[PARALLEL]);
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
	return 0;
}
