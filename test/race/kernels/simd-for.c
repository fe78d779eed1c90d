/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a combined worksharing and simd loop with a dependence over its chunks.
 * safelen bounds the lanes of one thread (OpenMP 5.2, 10.4), but different threads execute the
 * chunks without any order (11.5). The fixed one is a simd loop of one thread.
 */
static long a[500];

int main(void)
{
	int wrong = 0;

#ifdef FIXED
#pragma omp simd safelen(8)
#else
#pragma omp parallel for simd safelen(8)
#endif
	for (int i = 8; i < 500; i++)
		a[i] = a[i - 8] + 1; /* race: write a */ /* race: read a */

	for (int i = 0; i < 500; i++)
		wrong += a[i] != i / 8;
	return wrong != 0;
}
