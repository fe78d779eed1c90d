/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target: two target regions with nowait add to one variable, each in a critical construct.
 * A target region has its own contention group, so that critical does not exclude the other one
 * (OpenMP 5.2, 1.2.2 and 15.2). The fixed regions depend on each other.
 */
#ifdef FIXED
#define ORDER depend(inout : total)
#else
#define ORDER
#endif

int main(void)
{
	int total = 0;

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 8; i++) {
#pragma omp target nowait map(tofrom : total) ORDER
			{
#pragma omp critical
				total += i; /* race: write total */
			}
		}
#pragma omp taskwait
	}
	return total < 0;
}
