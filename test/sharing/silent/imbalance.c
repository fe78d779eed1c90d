/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * silent: the threads' parts of a triangular loop take unequal time, and one waits for the others
 * at the barrier. What they write is in blocks of their own.
 */
#include <stdio.h>

enum { ROWS = 2000 };

static double weights[ROWS], sums[ROWS];

int main(void)
{
	double all = 0;

	for (int i = 0; i < ROWS; i++)
		weights[i] = 1.0 / (i + 1);
	for (int turn = 0; turn < 4; turn++) {
#pragma omp parallel for schedule(static)
		for (int i = 0; i < ROWS; i++) {
			double sum = 0;
			for (int j = 0; j < i; j++)
				sum += weights[j] * weights[i - j];
			sums[i] += sum;
		}
	}
	for (int i = 0; i < ROWS; i++)
		all += sums[i];
	printf("%.6f\n", all);
	return 0;
}
