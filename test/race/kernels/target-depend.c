/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target: two target regions with nowait use one array, and one of them has no dependence.
 * Their tasks are ordered by dependences only (OpenMP 5.2, 13.8 and 15.9.5). The fixed regions
 * both have one.
 */
#ifdef FIXED
#define SECOND depend(inout : a)
#else
#define SECOND
#endif

int main(void)
{
	int a[20] = {0};
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp target map(tofrom : a) nowait depend(inout : a)
		for (int i = 0; i < 20; i++)
			a[i] += i; /* race: write a */
#pragma omp target map(tofrom : a) nowait SECOND
		for (int i = 0; i < 20; i++)
			a[i] *= 2; /* race: write a */
	}
	for (int i = 0; i < 20; i++)
		wrong += a[i] != 2 * i;
	return wrong != 0;
}
