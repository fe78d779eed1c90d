/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: regions of different sizes, one after the other and nested, with one array.
 * The end of a region orders it before the next one, whichever threads that has; an inner team
 * works on the part of its outer thread.
 */
#include <omp.h>

enum { OUTER = 3, INNER = 2, WIDTH = 50 };

static int cells[OUTER][INNER * WIDTH];

static void fill_part(int outer, int members)
{
#pragma omp parallel for num_threads(members)
	for (int i = 0; i < INNER * WIDTH; i++)
		cells[outer][i] += outer + 1;
}

int main(void)
{
	int total = 0;

	omp_set_max_active_levels(2);
	for (int size = 1; size <= 4; size++) {
#pragma omp parallel for num_threads(size) schedule(dynamic)
		for (int outer = 0; outer < OUTER; outer++)
			fill_part(outer, size % 2 + 1);
#pragma omp parallel for collapse(2) num_threads(5 - size) reduction(+ : total)
		for (int outer = 0; outer < OUTER; outer++)
			for (int i = 0; i < INNER * WIDTH; i++)
				total += cells[outer][i];
	}
	return total != 10 * 6 * INNER * WIDTH;
}
