/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: prefix sums in three steps: sums of blocks, their prefix by one thread, and the
 * elements of each block. Compared with an inscan reduction.
 */
#include <omp.h>
#include <stdlib.h>

enum { N = 5000 };

static int values[N];
static long sums[N], scanned[N];

static void prefix_of_blocks(long *totals)
{
	int self = omp_get_thread_num(), members = omp_get_num_threads();
	int begin = (int)((long)N * self / members), end = (int)((long)N * (self + 1) / members);
	long running = 0;

	for (int i = begin; i < end; i++)
		running += values[i];
	totals[self + 1] = running;
#pragma omp barrier
#pragma omp single
	for (int i = 0; i < members; i++)
		totals[i + 1] += totals[i];
	running = totals[self];
	for (int i = begin; i < end; i++)
		sums[i] = running += values[i];
}

int main(void)
{
	long *totals = calloc((size_t)omp_get_max_threads() + 1, sizeof *totals);
	long sum = 0;
	int wrong = 0;

	if (totals == NULL)
		return 2;
	for (int i = 0; i < N; i++)
		values[i] = i % 17 - 3;
#pragma omp parallel
	prefix_of_blocks(totals);
#pragma omp parallel for reduction(inscan, + : sum)
	for (int i = 0; i < N; i++) {
		sum += values[i];
#pragma omp scan inclusive(sum)
		scanned[i] = sum;
	}
#pragma omp parallel for reduction(+ : wrong)
	for (int i = 0; i < N; i++)
		wrong += sums[i] != scanned[i];
	free(totals);
	return wrong != 0;
}
