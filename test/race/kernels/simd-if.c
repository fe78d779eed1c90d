/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: each iteration needs the one before, in a loop whose if clause is true.
 * With a false one, as in the fixed program, the loop has no lanes (OpenMP 5.2, 10.4).
 */
enum { LENGTH = 300 };
static int sums[LENGTH];

int main(void)
{
#ifdef FIXED
	int limit = LENGTH;
#else
	int limit = LENGTH / 2;
#endif

#pragma omp simd if (LENGTH > limit)
	for (int i = 1; i < LENGTH; i++)
		sums[i] = sums[i - 1] + 1; /* race: write sums; race: read sums */
	return sums[LENGTH - 1] != LENGTH - 1;
}
