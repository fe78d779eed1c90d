/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target: the iterations of a target region's parallel loop add to a mapped scalar.
 * map(tofrom) makes it one variable for all threads of the region, where a scalar would be
 * firstprivate otherwise (OpenMP 5.2, 5.8.3). The fixed one has a reduction clause.
 */
#ifdef FIXED
#define COUNT reduction(+ : count)
#else
#define COUNT
#endif

int main(void)
{
	int count = 0;

#pragma omp target map(tofrom : count)
#pragma omp parallel for COUNT
	for (int i = 0; i < 500; i++)
		count += i % 2; /* race: write count */
	return count != 250;
}
