/* SPDX-License-Identifier: BSD-3-Clause */
/* A library for Python's threads: each call executes a parallel region. */
#include "regions.h"

enum { PARALLEL, COUNT };

OMPRegDescr regions[COUNT] = {[PARALLEL] = REGION("parallel", "", 10)};
const int region_count = COUNT;

__attribute__((visibility("default"))) void execute_region(void);

void execute_region(void)
{
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(1)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
}
