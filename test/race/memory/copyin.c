/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: a threadprivate pointer that only the primary thread sets, without copyin.
 */
#include <stdlib.h>

static int *buffer;
#pragma omp threadprivate(buffer)

int main(void)
{
	buffer = calloc(8, sizeof *buffer);
#ifdef FIXED
#pragma omp parallel num_threads(2) copyin(buffer)
#else
#pragma omp parallel num_threads(2)
#endif
#pragma omp critical
	buffer[1]++; /* memory: write */
	free(buffer);
	return 0;
}
