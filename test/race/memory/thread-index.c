/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: an array has fewer elements than the team has threads.
 */
#include <omp.h>

int main(void)
{
	int parts[2] = {0}; /* memory: declared */

#ifdef FIXED
#pragma omp parallel num_threads(2)
#else
#pragma omp parallel num_threads(3)
#endif
	parts[omp_get_thread_num()] = 1; /* memory: write */
	return parts[0] != 1;
}
