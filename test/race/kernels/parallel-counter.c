/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: every thread of the team increments a counter that is shared by default.
 * A variable of the enclosing scope is shared in a parallel region (OpenMP 5.2, 5.1.1), and
 * nothing orders the increments. The fixed one makes each of them atomic.
 */
#include <omp.h>

int main(void)
{
	int arrived = 0;
	int members = 0;

#pragma omp parallel
	{
#ifdef FIXED
#pragma omp atomic
#endif
		arrived++; /* race: write arrived */
#pragma omp single
		members = omp_get_num_threads();
	}
	return arrived != members;
}
