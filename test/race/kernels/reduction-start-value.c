/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: one thread sets the sum's start value while others may be through with the loop.
 * A reduction with the original list item as input needs it complete before the construct, which a
 * masked region does not do (OpenMP 5.2, 5.5.5). The fixed one has a barrier behind it.
 */
int main(void)
{
	int sum = 0;

#pragma omp parallel
	{
#pragma omp masked
		sum = 1000; /* race: write sum */
#ifdef FIXED
#pragma omp barrier
#endif
#pragma omp for reduction(+ : sum) /* race: write sum */
		for (int i = 0; i < 100; i++)
			sum += i; /* race: write sum */
	}
	return sum != 5950;
}
