/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: an array has an element for each of twelve threads, and further ones share them.
 * How many threads a team has is open (OpenMP 5.2, 10.1.1): with thirteen two of them write one
 * element. The fixed array has an element for each thread.
 */
#include <omp.h>
#include <stdlib.h>

int main(void)
{
	int members = omp_get_max_threads();
	int *visits = calloc((size_t)members + 12, sizeof *visits);
	int total = 0, expected = 0;

	if (visits == NULL)
		return 2;
#pragma omp parallel reduction(+ : expected)
	{
#ifdef FIXED
		int slot = omp_get_thread_num();
#else
		int slot = omp_get_thread_num() % 12;
#endif
		for (int i = 0; i < 20; i++)
			visits[slot]++; /* race: write visits */
		expected += 20;
	}
	for (int i = 0; i < members + 12; i++)
		total += visits[i];
	free(visits);
	return total != expected;
}
