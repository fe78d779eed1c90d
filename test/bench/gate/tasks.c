/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tree of small tasks, and a list of larger ones, which take SLOWER per cent more work; for
 * gate.py.
 */
#include <stdio.h>

enum { DEPTH = 9, LEAF = 10000, LIST = 100, ENTRY = 60000 };

static long work(long seed, int turns)
{
	for (int i = 0; i < turns; i++)
		seed = (long)((unsigned long)seed * 6364136223846793005UL + 1442695040888963407UL);
	return seed;
}

static long tree(int depth)
{
	long left, right;

	if (depth == 0)
		return work(depth, LEAF);
#pragma omp task shared(left) if (depth > 2)
	left = tree(depth - 1);
#pragma omp task shared(right) if (depth > 2)
	right = tree(depth - 1);
#pragma omp taskwait
	return left ^ right;
}

int main(void)
{
	long value = 0, sum = 0;

	for (int round = 0; round < 4; round++) {
#pragma omp parallel
#pragma omp single
		value ^= tree(DEPTH);
#pragma omp parallel
#pragma omp single
		for (int i = 0; i < LIST; i++) {
#pragma omp task shared(sum)
			{
				long own = work(i, ENTRY + ENTRY / 100 * SLOWER);
#pragma omp atomic
				sum ^= own;
			}
		}
	}
	printf("%ld %ld\n", value, sum);
	return 0;
}
