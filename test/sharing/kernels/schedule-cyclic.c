/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule: iterations are dealt out one by one, so that neighbouring elements are different
 * threads'. */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4096, STEPS = 200 };

#ifdef FIXED
#define CHUNKS schedule(static)
#else
#define CHUNKS schedule(static, 1)
#endif

int main(void)
{
	float *field = calloc(COUNT, sizeof *field);

	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for num_threads(2) CHUNKS
		for (int i = 0; i < COUNT; i++)
			field[i] += 0.5f * (float)i; /* sharing: false field */
	}
	printf("%g\n", (double)field[COUNT - 1]);
	free(field);
	return 0;
}
