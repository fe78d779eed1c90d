/* SPDX-License-Identifier: BSD-3-Clause */
/* small: what has few pages is in the cache. */
#include <stdio.h>

static double few[4096];

int main(void)
{
	for (int i = 0; i < 4096; i++)
		few[i] = i;
	for (int sweep = 0; sweep < 100; sweep++) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < 4096; i++)
			few[i] += sweep;
	}
	printf("%g\n", few[4095]);
	return 0;
}
