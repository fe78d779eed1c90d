/* SPDX-License-Identifier: BSD-3-Clause */
/* A Jacobi relaxation: a parallel region, loops with and without nowait, single, reduction. */
#include <math.h>
#include <stdio.h>

enum { SIZE = 96, STEPS = 60 };

static double old[SIZE][SIZE], new[SIZE][SIZE];

int main(void)
{
	double residual = 0;
	int steps = 0;

#pragma omp parallel default(none) shared(old, new, residual, steps)
	{
#pragma omp for nowait
		for (int i = 0; i < SIZE; i++)
			for (int j = 0; j < SIZE; j++)
				old[i][j] = new[i][j] = i == 0 ? 1.0 : 0.0;
#pragma omp barrier
		for (int step = 0; step < STEPS; step++) {
#pragma omp single
			{
				residual = 0;
				steps++;
			}
#pragma omp for schedule(guided) reduction(max : residual)
			for (int i = 1; i < SIZE - 1; i++)
				for (int j = 1; j < SIZE - 1; j++) {
					new[i][j] = 0.25 * (old[i - 1][j] + old[i + 1][j] +
							       old[i][j - 1] + old[i][j + 1]);
					residual = fmax(residual, fabs(new[i][j] - old[i][j]));
				}
#pragma omp for collapse(2)
			for (int i = 1; i < SIZE - 1; i++)
				for (int j = 1; j < SIZE - 1; j++)
					old[i][j] = new[i][j];
		}
#pragma omp master
		printf("%d steps, residual %.12f\n", steps, residual);
	}
	return 0;
}
