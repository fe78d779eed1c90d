/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a loop in a function that a region calls, with a conflict of one pair.
 * An orphaned loop binds to the region around the call (OpenMP 5.2, 11.5). The fixed one keeps to
 * its element.
 */
enum { N = 1000, PLACE = 700 };

static short heights[N + 1];

static void level(short *at, int count)
{
#pragma omp for
	for (int i = 0; i < count; i++) {
		at[i] = 9; /* race: write at */
#ifndef FIXED
		if (i == PLACE)
			at[i + 1] = 9; /* race: write at */
#endif
	}
}

int main(void)
{
	int wrong = 0;

#pragma omp parallel
	level(heights, N);
	for (int i = 0; i < N; i++)
		wrong += heights[i] != 9;
	return wrong != 0;
}
