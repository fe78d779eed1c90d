/* SPDX-License-Identifier: BSD-3-Clause */
/* silent: serial initialisation, and one loop once: the data moves once. */
#include <stdio.h>

enum { N = 1 << 19 };

static double u[N];

int main(void)
{
	for (int i = 0; i < N; i++)
		u[i] = i;
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < N; i++)
		u[i] *= 0.5;
	printf("%g\n", u[N - 1]);
	return 0;
}
