/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: nested regions index an array by the number of the thread within its own team.
 * The numbers of two inner teams are the same (OpenMP 5.2, 10.1), so that threads of both teams
 * write one element. The fixed one adds the number within the outer team.
 */
#include <omp.h>

enum { OUTER = 3, INNER = 2 };

static int visits[OUTER * INNER];

int main(void)
{
	int total = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(OUTER)
#pragma omp parallel num_threads(INNER)
	{
#ifdef FIXED
		int slot = omp_get_ancestor_thread_num(1) * INNER + omp_get_thread_num();
#else
		int slot = omp_get_thread_num();
#endif
		for (int i = 0; i < 10; i++)
			visits[slot]++; /* race: write visits */
#pragma omp atomic
		total += 10;
	}
	for (int i = 0; i < OUTER * INNER; i++)
		total -= visits[i];
	return total != 0;
}
