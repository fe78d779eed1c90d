/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: the second half of an array is computed from the first half, which the same loop writes.
 * Without safelen, any two iterations may be executed at once (OpenMP 5.2, 10.4). The fixed loop
 * has safelen with the distance.
 */
enum { HALF = 100 };

static int a[2 * HALF];

int main(void)
{
	int wrong = 0;

#ifdef FIXED
#pragma omp simd safelen(HALF)
#else
#pragma omp simd
#endif
	for (int i = 0; i < 2 * HALF; i++)
		a[i] = i < HALF ? i : a[i - HALF]; /* race: write a; race: read a */
	for (int i = 0; i < 2 * HALF; i++)
		wrong += a[i] != i % HALF;
	return wrong != 0;
}
