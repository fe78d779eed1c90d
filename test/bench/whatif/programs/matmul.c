/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of dense matrices: an even loop that has a small one behind it. */
#include "program.h"

enum { SIDE = 360, PRODUCTS = 50 };

static double a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];

#ifdef NOWAIT
#define CLAUSES nowait
#else
#define CLAUSES
#endif

int main(void)
{
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			a[i][j] = b[i][j] = 1.0 / (1 + i + j);
#pragma omp parallel
	for (int product = 0; product < PRODUCTS; product++) {
#pragma omp for schedule(SCHEDULE) CLAUSES // @product
		for (int i = 0; i < SIDE; i++)
			for (int k = 0; k < SIDE / FASTER; k++)
				for (int j = 0; j < SIDE; j++)
					c[i][j] += a[i][k] * b[k][j];
#pragma omp for schedule(static) // @scale
		for (int i = 0; i < SIDE; i++)
			for (int j = 0; j < SIDE; j++)
				a[i][j] = c[i][j] * 1e-3;
	}
	printf("%g\n", c[0][0]);
	return 0;
}
