/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target: a region with nowait that writes is said to read only.
 * depend(in) orders it behind the producer, and not with other readers (OpenMP 5.2, 15.9.5). The
 * fixed one says inout.
 */
#ifdef FIXED
#define KIND inout
#else
#define KIND in
#endif

int main(void)
{
	int grid[40];
	int sum = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp target nowait map(from : grid) depend(out : grid)
		for (int i = 0; i < 40; i++)
			grid[i] = i;
#pragma omp target nowait map(tofrom : grid) depend(KIND : grid)
		for (int i = 0; i < 40; i++)
			grid[i] += 1; /* race: write grid */
#pragma omp target nowait map(tofrom : sum) map(to : grid) depend(in : grid)
		for (int i = 0; i < 40; i++)
			sum += grid[i]; /* race: read grid */
	}
	return sum < 0;
}
