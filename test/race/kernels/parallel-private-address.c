/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: one thread publishes the address of its private variable, another one writes there.
 * A private variable can be reached by other threads through a pointer, and then needs the same
 * order as a shared one (OpenMP 5.2, 1.4.1). The fixed one has barriers around that access.
 */
#include <omp.h>
#include <stddef.h>

int main(void)
{
	int *published = NULL;
	int result = 0;

#pragma omp parallel
	{
		int mine = 1;

#pragma omp masked
		published = &mine;
#pragma omp barrier
		if (omp_get_thread_num() == omp_get_num_threads() - 1)
			*published += 4; /* race: write mine */
#ifdef FIXED
#pragma omp barrier
#endif
#pragma omp masked
		result = mine; /* race: read mine */
#pragma omp barrier
	}
	return result != 5;
}
