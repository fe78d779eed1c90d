/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a loop with a dependence of distance 4 and safelen(8).
 * Iterations up to seven apart may be executed at once (OpenMP 5.2, 10.4). The fixed one has
 * safelen(4).
 */
static int a[400];

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < 4; i++)
		a[i] = i;
#ifdef FIXED
#pragma omp simd safelen(4)
#else
#pragma omp simd safelen(8)
#endif
	for (int i = 4; i < 400; i++)
		a[i] = a[i - 4] + 4; /* race: write a */ /* race: read a */

	for (int i = 0; i < 400; i++)
		wrong += a[i] != i;
	return wrong != 0;
}
