/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suite: costs of the threads, apart by 32 bytes because somebody took that for the length of a
 * line, as in PARSEC's streamcluster.
 */
#include <omp.h>
#include <stdlib.h>

#ifdef FIXED
enum { LINE = 64 };
#else
enum { LINE = 32 };
#endif
enum { POINTS = 1 << 14, ROUNDS = 2400, STRIDE = LINE / sizeof(double) };

static float distances[POINTS];

static void add_costs(double *cost, int begin, int end)
{
	for (int i = begin; i < end; i++) {
		if (distances[i] > 1)
			*cost += 0.5; /* sharing: false cost */
	}
}

int main(void)
{
	int threads = omp_get_max_threads();
	double *costs = aligned_alloc(64, (size_t)threads * 64), all = 0;

	for (int i = 0; i < POINTS; i++)
		distances[i] = (float)(i % 3);
	for (int thread = 0; thread < threads; thread++)
		costs[thread * STRIDE] = 0;
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(), share = POINTS / threads;

		for (int round = 0; round < ROUNDS; round++)
			add_costs(&costs[me * STRIDE], me * share, (me + 1) * share);
	}
	for (int thread = 0; thread < threads; thread++)
		all += costs[thread * STRIDE];
	free(costs);
	return all == 0;
}
