/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: only if the last thread comes before thread 0 does it write without the lock.
 * In most runs thread 0 has announced itself before, and the last thread takes the branch with the
 * lock (OpenMP 5.2, 15.2: the order of critical regions is open). The fixed one writes under the
 * lock on both.
 */
#include <omp.h>

int main(void)
{
	int started = 0;
	int log = 0;

#pragma omp parallel num_threads(4)
	{
		int is_last = omp_get_thread_num() == omp_get_num_threads() - 1;
		int late = 1;

		if (omp_get_thread_num() == 0) {
#pragma omp critical(start)
			started = 1;
		}
		if (is_last) {
#pragma omp critical(start)
			late = started;
		}
		if (is_last && !late) {
#ifdef FIXED
#pragma omp critical(write)
#endif
			log += 1; /* race: write log */
		} else {
#pragma omp critical(write)
			log += 1; /* race: write log */
		}
	}
	return log < 1 || log > 4;
}
