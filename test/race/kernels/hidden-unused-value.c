/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: a value that another thread writes is read, but not used.
 * Whether the compiler drops the read does not matter for the program's race (OpenMP 5.2, 1.4.1).
 * The fixed one reads atomically beside the atomic write.
 */
#include <omp.h>

int main(void)
{
	int progress = 0;

#pragma omp parallel
	{
		int seen;

#pragma omp masked
		for (int i = 1; i <= 20; i++) {
#pragma omp atomic write
			progress = i; /* race: write progress */
		}
#ifdef FIXED
#pragma omp atomic read
#endif
		seen = progress; /* race: read progress */
		(void)seen;
	}
	return progress != 20;
}
