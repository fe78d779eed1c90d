/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: two masked regions for different threads write one variable.
 * The filter clause chooses another thread for the second one (OpenMP 5.2, 10.5.1), and masked has
 * no barrier. The fixed one has one between them.
 */
#include <omp.h>

int main(void)
{
	int stage = 0;

#pragma omp parallel
	{
#pragma omp masked
		stage = 1; /* race: write stage */
#ifdef FIXED
#pragma omp barrier
#endif
#pragma omp masked filter(omp_get_num_threads() - 1)
		stage += 1; /* race: write stage */
	}
	return stage != 2;
}
