/* SPDX-License-Identifier: BSD-3-Clause */
/* The triad a = b + s * c with arrays beyond the caches: iterations of a nanosecond, bound by
 * memory. */
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 6000000, ROUNDS = 30 };

int main(void)
{
	double *a = malloc(sizeof *a * SIZE), *b = malloc(sizeof *b * SIZE),
	       *c = malloc(sizeof *c * SIZE);

#pragma omp parallel for
	for (int i = 0; i < SIZE; i++) {
		a[i] = 0;
		b[i] = i % 100;
		c[i] = 1;
	}
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for // @loop
		for (int i = 0; i < SIZE; i++)
			a[i] = b[i] + 0.5 * (round + 1) * c[i];
	}
	printf("%.2f\n", a[SIZE / 3] + a[SIZE - 1]);
	free(a), free(b), free(c);
	return 0;
}
