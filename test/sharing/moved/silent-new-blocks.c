/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: each step allocates its array anew: other threads' data of before is not used again. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 16, STEPS = 24 };

int main(void)
{
	double last = 0;

	for (int step = 0; step < STEPS; step++) {
		double *u = malloc(N * sizeof *u);

#pragma omp parallel for schedule(static) num_threads(2)
		for (int i = 0; i < N; i++)
			u[step % 2 == 0 ? i : N - 1 - i] = 0.5 * i;
		last += u[N - 1];
		free(u);
	}
	printf("%g\n", last);
	return 0;
}
