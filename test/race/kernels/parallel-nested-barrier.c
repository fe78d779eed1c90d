/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: threads of the outer team rely on a barrier of the inner teams.
 * A barrier binds to the innermost team (OpenMP 5.2, 15.3.1): it does not order what two threads
 * of the outer team do. The fixed one has a barrier of the outer team as well.
 */
#include <omp.h>

static int values[64];

int main(void)
{
	int wrong = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4) reduction(+ : wrong)
	{
		int self = omp_get_thread_num();
		int next = (self + 1) % omp_get_num_threads();

#pragma omp parallel num_threads(2)
		{
#pragma omp masked
			values[self] = self + 1; /* race: write values */
#pragma omp barrier
		}
#ifdef FIXED
#pragma omp barrier
#endif
		wrong += values[next] != next + 1; /* race: read values */
	}
	return wrong != 0;
}
