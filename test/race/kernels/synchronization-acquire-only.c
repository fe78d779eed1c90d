/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: the reader acquires, but the writer does not release.
 * Both sides are needed for an order (OpenMP 5.2, 1.4.5): an acquire that reads a relaxed write
 * orders nothing. The fixed writer releases.
 */
#include <omp.h>
#include <sched.h>

#ifdef FIXED
#define WRITE atomic write release
#else
#define WRITE atomic write
#endif

int main(void)
{
	int block[8] = {0};
	int state = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
		if (omp_get_thread_num() == 0) {
			for (int i = 0; i < 8; i++)
				block[i] = i; /* race: write block */
#pragma omp WRITE
			state = 8;
		} else {
			int length = 0;

			while (length == 0) {
#pragma omp atomic read acquire
				length = state;
				sched_yield();
			}
			wrong += block[length - 1] != 7; /* race: read block */
		}
	}
	return wrong != 0;
}
