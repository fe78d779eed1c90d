/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: each thread has a partial sum, and adds it to the total without protection.
 * The additions at the end are few, but nothing orders them. In the fixed one they are a critical
 * region (OpenMP 5.2, 15.2).
 */
int main(void)
{
	long total = 0;

#pragma omp parallel
	{
		long partial = 0;

#pragma omp for nowait
		for (int i = 0; i < 1000; i++)
			partial += i;
#ifdef FIXED
#pragma omp critical
#endif
		total += partial; /* race: write total */
	}
	return total != 499500;
}
