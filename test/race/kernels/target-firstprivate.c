/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target: the host changes a scalar that a region with nowait uses.
 * Mapped, it is the host's variable; without a clause it is firstprivate, a copy that is made when
 * the construct is encountered (OpenMP 5.2, 5.8.1). The fixed one has no clause.
 */
#ifdef FIXED
#define FACTOR
#else
#define FACTOR map(to : factor)
#endif

int main(void)
{
	int scaled[25];
	int factor = 2;
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp target nowait map(from : scaled) FACTOR
		for (int i = 0; i < 25; i++)
			scaled[i] = factor * i; /* race: read factor */
		factor = 4;                     /* race: write factor */
#pragma omp taskwait
	}
	for (int i = 0; i < 25; i++)
		wrong += scaled[i] % 2 != 0;
	return wrong != 0;
}
