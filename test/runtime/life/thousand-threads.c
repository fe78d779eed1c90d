/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 1,024 threads in one team: all arrive, barriers hold, loops and reductions are right, and the
 * team can shrink and grow. Skipped where the system does not allow so many threads.
 */
#include <omp.h>
#include <pthread.h>
#include <sys/resource.h>

#include "check.h"

#define THREADS 1024

static int times[4 * THREADS];

static bool system_allows_it(void)
{
	struct rlimit limit;
	FILE *most = fopen("/sys/fs/cgroup/pids.max", "re");
	long pids = LONG_MAX;

	if (most && fscanf(most, "%ld", &pids) != 1)
		pids = LONG_MAX; /* "max" */
	if (most)
		fclose(most);
	getrlimit(RLIMIT_NPROC, &limit);
	return pids > 2 * THREADS &&
	       (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > 2 * THREADS);
}

static void region(int threads)
{
	int arrived = 0;
	long sum = 0;

	memset(times, 0, sizeof(times));
#pragma omp parallel num_threads(threads) reduction(+ : sum)
	{
		count(&arrived);
#pragma omp barrier
		CHECK_EQUAL(__atomic_load_n(&arrived, __ATOMIC_RELAXED), threads);
#pragma omp for schedule(dynamic, 3)
		for (int i = 0; i < 4 * THREADS; i++)
			count(&times[i]);
		sum += omp_get_thread_num();
	}
	CHECK_ALL(times, 4 * THREADS, 1);
	CHECK_EQUAL(sum, (long)threads * (threads - 1) / 2);
}

int main(int argc, char **arguments)
{
	(void)argc;
	check_needs_environment(arguments, "OMP_STACKSIZE", "64k");
	if (!system_allows_it())
		return 77;
	omp_set_dynamic(0);
	region(THREADS);
	region(3);
	region(THREADS);
	return check_result();
}
