/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: the address of a variable of the region is used after the region.
 */
#include <omp.h>

static int *kept;
static int outside;

int main(void)
{
#pragma omp parallel num_threads(2)
	{
		int mine = omp_get_thread_num(); /* memory: declared */

#pragma omp master
#ifdef FIXED
		kept = &outside;
#else
		kept = &mine;
#endif
		(void)mine;
	}
	return *kept; /* memory: read */
}
