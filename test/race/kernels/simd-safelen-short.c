/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a dependence of distance 3, with safelen(4) on one loop of two.
 * Iterations 3 apart may be executed at once there (OpenMP 5.2, 10.4). The fixed one has
 * safelen(3) on both.
 */
static int a[300], b[300];

int main(void)
{
	int wrong = 0;

#pragma omp simd safelen(3)
	for (int i = 3; i < 300; i++)
		b[i] = b[i - 3] + 1;
#ifdef FIXED
#pragma omp simd safelen(3)
#else
#pragma omp simd safelen(4)
#endif
	for (int i = 3; i < 300; i++)
		a[i] = a[i - 3] + 1; /* race: write a; race: read a */
	for (int i = 0; i < 300; i++)
		wrong += a[i] != i / 3 || b[i] != i / 3;
	return wrong != 0;
}
