/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a flag is written and polled plainly, with flushes around.
 * A flush orders only what two threads do through an atomic access of one location (OpenMP 5.2,
 * 1.4.5): the accesses of the plain flag race themselves. In the fixed one they are atomic, and
 * the flushes before and behind them order the data.
 */
#include <omp.h>
#include <sched.h>

int main(void)
{
	int data = 0;
	int flag = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
		if (omp_get_thread_num() == 0) {
			data = 5; /* race: write data */
#pragma omp flush
#ifdef FIXED
#pragma omp atomic write
#endif
			flag = 1; /* race: write flag */
#pragma omp flush(flag)
		} else {
			int seen = 0;

			for (int tries = 0; !seen && tries < 2000000; tries++) {
#pragma omp flush(flag)
#ifdef FIXED
#pragma omp atomic read
#endif
				seen = flag; /* race: read flag */
				sched_yield();
			}
#pragma omp flush
			wrong += seen && data != 5; /* race: read data */
		}
	}
	return wrong != 0;
}
