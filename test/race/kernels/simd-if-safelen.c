/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a dependence of distance 3 with safelen(4), if a condition holds.
 * It does. In the fixed program it does for a safelen of 3, and not for one of 4.
 */
enum { LENGTH = 300 };
static int a[LENGTH], b[LENGTH];

int main(void)
{
	int is_short = 1;
	int wrong = 0;

#ifdef FIXED
#pragma omp simd safelen(4) if (simd : !is_short)
#else
#pragma omp simd safelen(4) if (simd : is_short)
#endif
	for (int i = 3; i < LENGTH; i++)
		a[i] = a[i - 3] + 1; /* race: write a; race: read a */
#pragma omp simd safelen(3) if (is_short)
	for (int i = 3; i < LENGTH; i++)
		b[i] = b[i - 3] + 1;
	for (int i = 0; i < LENGTH; i++)
		wrong += a[i] != i / 3 || b[i] != i / 3;
	return wrong != 0;
}
