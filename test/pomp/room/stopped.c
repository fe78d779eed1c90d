/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that log unlike much take locks in turn, so that their logs stop at different times when
 * there is room for so much. Threads that come later have none.
 */
#include "regions.h"

#include <omp.h>

enum { PARALLEL, INNER, CRITICAL, COUNT };

OMPRegDescr regions[COUNT] = {
    [PARALLEL] = REGION("parallel", "", 10),
    [INNER] = REGION("parallel", "", 20),
    [CRITICAL] = REGION("critical", "", 30),
};
const int region_count = COUNT;

enum { THREADS = 4, ROUNDS = 3000 };
static omp_lock_t lock;
static long sum;

static void visit_critical(void)
{
	pomp_critical_enter(&regions[CRITICAL]);
#pragma omp critical
	{
		pomp_critical_begin(&regions[CRITICAL]);
		sum++;
		pomp_critical_end(&regions[CRITICAL]);
	}
	pomp_critical_exit(&regions[CRITICAL]);
}

static void visit_inner(void)
{
	uint64_t fork = pomp_parallel_fork(&regions[INNER]);
#pragma omp parallel num_threads(2)
	{
		pomp_parallel_begin(&regions[INNER], fork);
		visit_critical();
		pomp_parallel_end(&regions[INNER]);
	}
	pomp_parallel_join(&regions[INNER], fork);
}

static void work(int thread)
{
	for (int i = 0; i < ROUNDS * (1 + thread); i++) {
		pomp_set_lock(&lock);
		sum++;
		pomp_unset_lock(&lock);
		visit_critical();
		if (i % 64 == 63)
			visit_inner();
	}
}

int main(void)
{
	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	pomp_init_lock(&lock);
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(THREADS)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		work(omp_get_thread_num());
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
	pomp_destroy_lock(&lock);
	printf("%ld\n", sum);
	return 0;
}
