/* SPDX-License-Identifier: BSD-3-Clause */
/* copy: a serial loop that compilers make a call of memcpy() of. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 16 };

static double start[N];

int main(void)
{
	double *restrict state = malloc(N * sizeof *state);

#pragma omp parallel for num_threads(2)
	for (int i = 0; i < N; i++)
		start[i] = i;
#ifdef FIXED
#pragma omp parallel for num_threads(2)
#endif
	for (int i = 0; i < N; i++)  /* touched: state */
		state[i] = start[i]; /* touched: state */
	for (int step = 0; step < 8; step++) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < N; i++)
			state[i] *= 1.5; /* sharing: first state */
	}
	printf("%g\n", state[N - 1]);
	free(state);
	return 0;
}
