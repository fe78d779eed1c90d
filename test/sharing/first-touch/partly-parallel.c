/* SPDX-License-Identifier: BSD-3-Clause */
/* partly parallel: the second half of an array is initialised by one thread. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const int n = 1 << 16;
	float *pixels = malloc(n * sizeof *pixels * 4);
	double sum = 0;

#ifdef FIXED
	const int parallel = 4 * n;
#else
	const int parallel = 2 * n;
#endif
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < parallel; i++)
		pixels[i] = 1; /* touched: pixels */
	for (int i = parallel; i < 4 * n; i++)
		pixels[i] = 2; /* touched: pixels */
	for (int step = 0; step < 6; step++) {
#pragma omp parallel for num_threads(2) reduction(+ : sum)
		for (int i = 0; i < 4 * n; i++)
			sum += pixels[i]; /* sharing: first pixels */
	}
	printf("%g\n", sum);
	free(pixels);
	return 0;
}
