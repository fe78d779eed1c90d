/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: two threads, whatever the environment says, and a conflict at a distance of four.
 * Which iterations a thread has is not specified without a schedule (OpenMP 5.2, 11.5.3). The fixed
 * one has no conflict.
 */
enum { N = 600, PLACE = 101, DISTANCE = 4 };

static int sums[N + DISTANCE];

int main(void)
{
	int wrong = 0;

#pragma omp parallel for num_threads(2)
	for (int i = 0; i < N; i++) {
		sums[i] = i; /* race: write sums */
#ifndef FIXED
		if (i == PLACE)
			sums[i + DISTANCE] = i + DISTANCE; /* race: write sums */
#endif
	}
	for (int i = 0; i < N; i++)
		wrong += sums[i] != i;
	return wrong != 0;
}
