/* SPDX-License-Identifier: BSD-3-Clause */
/* calloc: it touches nothing of a large block, but a serial loop does; fixed: the loop that uses it
 * is the first. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const long n = 1 << 17;
	double *field = calloc(n, sizeof *field);

#ifndef FIXED
	for (long i = 0; i < n; i++)
		if (i % 3 != 0)
			field[i] = i; /* touched: field */
#endif
	for (int step = 0; step < 6; step++) {
#pragma omp parallel for num_threads(2)
		for (long i = 0; i < n; i++)
			field[i] += step; /* sharing: first field */
	}
	printf("%g\n", field[n - 1]);
	free(field);
	return 0;
}
