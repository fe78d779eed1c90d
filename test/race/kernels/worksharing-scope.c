/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: the result of a reduction over a scope region with nowait is read at once.
 * The original list item is complete after a barrier only (OpenMP 5.2, 5.5.5 and 11.2). The fixed
 * scope keeps its barrier.
 */
#include <omp.h>

int main(void)
{
	int members = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
#ifdef FIXED
#pragma omp scope reduction(+ : members)
#else
#pragma omp scope reduction(+ : members) nowait /* race: write members */
#endif
		members += 1;                              /* race: write members */
		wrong += members != omp_get_num_threads(); /* race: read members */
	}
	return wrong != 0;
}
