/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: a histogram over a shared array.
 * Iterations of different threads fall into the same bin. The fixed one reduces the array section,
 * so that each thread counts in a copy (OpenMP 5.2, 5.5.8).
 */
#ifdef FIXED
#define BINS reduction(+ : bins[:8])
#else
#define BINS shared(bins)
#endif

int main(void)
{
	int bins[8] = {0};
	int wrong = 0;

#pragma omp parallel for BINS
	for (int i = 0; i < 800; i++)
		bins[i * 5 % 8] += 1; /* race: write bins */

	for (int bin = 0; bin < 8; bin++)
		wrong += bins[bin] != 100;
	return wrong != 0;
}
