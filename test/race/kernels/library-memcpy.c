/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library: one thread copies a buffer by memcpy while another one writes it.
 * What a library routine reads and writes is subject to the memory model as any access is
 * (OpenMP 5.2, 1.4.1). The fixed one has a barrier between both.
 */
#include <omp.h>
#include <string.h>

static int source[256], target[256];

int main(void)
{
	int wrong = 0;

#pragma omp parallel
	{
#pragma omp masked
		for (int i = 0; i < 256; i++)
			source[i] = i; /* race: write source */
#ifdef FIXED
#pragma omp barrier
#endif
#pragma omp masked filter(omp_get_num_threads() - 1)
		memcpy(target, source, sizeof source); /* race: read source */
	}
	for (int i = 0; i < 256; i++)
		wrong += target[i] != i;
	return wrong != 0;
}
