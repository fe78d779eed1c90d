/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap: partial sums in a block of the heap, one for each thread. The compiler has to store each of
 * them, as they could lie in the table of indices.
 */
#include <omp.h>
#include <stdlib.h>

enum { LENGTH = 1 << 15, ROUNDS = 2400 };
#ifdef FIXED
enum { STRIDE = 16 };
#else
enum { STRIDE = 1 };
#endif

static void add(long *sum, const long *indices, const long *values, int begin, int end)
{
	for (int i = begin; i < end; i++)
		*sum += values[indices[i]]; /* sharing: false sum */
}

int main(void)
{
	int threads = omp_get_max_threads();
	long *sums, *indices = malloc(LENGTH * sizeof *indices),
		    *values = malloc(LENGTH * sizeof *values), all = 0;

	sums = aligned_alloc(64, (size_t)threads * STRIDE * sizeof *sums / 64 * 64 + 64);
	for (int i = 0; i < threads * STRIDE; i++)
		sums[i] = 0;
	for (long i = 0; i < LENGTH; i++) {
		indices[i] = i * 7919 % LENGTH;
		values[i] = 1;
	}
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(), share = LENGTH / omp_get_num_threads();

		for (int round = 0; round < ROUNDS; round++)
			add(&sums[me * STRIDE], indices, values, me * share, (me + 1) * share);
	}
	for (int thread = 0; thread < threads; thread++)
		all += sums[thread * STRIDE];
	return all != (long)(LENGTH / threads * threads) * ROUNDS;
}
