/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: schedule(static), and one pair of iterations conflicts.
 * Chunks are only approximately of equal size (OpenMP 5.2, 11.5.3): a program cannot know that the
 * two belong to one. The fixed one has no conflict.
 */
enum { N = 1000, PLACE = 57 };

static int a[N + 1];

int main(void)
{
	int wrong = 0;

#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++) {
		a[i] = i; /* race: write a */
#ifndef FIXED
		if (i == PLACE)
			a[i + 1] = i + 1; /* race: write a */
#endif
	}
	for (int i = 0; i < N; i++)
		wrong += a[i] != i;
	return wrong != 0;
}
