/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a buffer is released to its reader and written again before the reader is
 * done.
 * Only what comes before the release is ordered with the reader (OpenMP 5.2, 1.4.5); its way
 * back is not. In the fixed one the reader acknowledges, and the writer waits for that.
 */
#include <omp.h>
#include <sched.h>

static void wait_for(int *counter, int value)
{
	int seen = 0;

	while (seen < value) {
#pragma omp atomic read acquire
		seen = *counter;
		sched_yield();
	}
}

int main(void)
{
	int buffer = 0, sent = 0, taken = 0;
	int sum = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp barrier
		for (int message = 1; message <= 1000; message++) {
			if (omp_get_thread_num() == 0) {
#ifdef FIXED
				if (omp_get_num_threads() == 2)
					wait_for(&taken, message - 1);
#endif
				buffer = message; /* race: write buffer */
#pragma omp atomic write release
				sent = message;
				sched_yield();
			}
			if (omp_get_thread_num() == omp_get_num_threads() - 1) {
				wait_for(&sent, message);
				sum += buffer; /* race: read buffer */
#pragma omp atomic write release
				taken = message;
			}
		}
	}
#ifdef FIXED
	return sum != 500500;
#else
	return sum < 500500;
#endif
}
