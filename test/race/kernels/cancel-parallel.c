/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel: what a cancelled region wrote is used by a thread that has not left it yet.
 * A thread that sees the cancellation jumps over the barrier that would have ordered the accesses;
 * a thread that does not see it still runs (OpenMP 5.2, 16.1). The fixed one reads behind the
 * region's end.
 */
#include <omp.h>

int main(void)
{
	int stopped_by = -1;
	int seen = -1;

#pragma omp parallel num_threads(4)
	{
		if (omp_get_thread_num() == 0) {
			stopped_by = 0; /* race: write stopped_by */
#pragma omp cancel parallel
		}
#ifndef FIXED
		if (omp_get_thread_num() == omp_get_num_threads() - 1)
			seen = stopped_by; /* race: read stopped_by */
#endif
#pragma omp cancellation point parallel
	}
#ifdef FIXED
	seen = stopped_by;
#endif
	return stopped_by != 0 || seen > 0;
}
