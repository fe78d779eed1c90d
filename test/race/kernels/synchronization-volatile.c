/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a volatile variable announces data to other threads.
 * volatile makes no access atomic and orders none (OpenMP 5.2, 1.4.1 and 1.4.5). The fixed one
 * writes and reads the variable atomically, with release and acquire.
 */
#include <omp.h>
#include <sched.h>

int main(void)
{
	volatile int ready = 0;
	int data = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
		if (omp_get_thread_num() == 0) {
			data = 9; /* race: write data */
#ifdef FIXED
#pragma omp atomic write release
#endif
			ready = 1; /* race: write ready */
		} else {
			int seen = 0;

			while (!seen) {
#ifdef FIXED
#pragma omp atomic read acquire
#endif
				seen = ready; /* race: read ready */
				sched_yield();
			}
			wrong += data != 9; /* race: read data */
		}
	}
	return wrong != 0;
}
