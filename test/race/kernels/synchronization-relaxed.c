/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: data are handed over by an atomic flag without memory order.
 * Without release and acquire the flag's accesses are relaxed: they order nothing else (OpenMP 5.2,
 * 15.8.1 and 1.4.5). The fixed ones have these clauses.
 */
#include <omp.h>
#include <sched.h>

#ifdef FIXED
#define WRITE atomic write release
#define READ  atomic read acquire
#else
#define WRITE atomic write relaxed
#define READ  atomic read relaxed
#endif

int main(void)
{
	int data = 0;
	int ready = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
		if (omp_get_thread_num() == 0) {
			data = 33; /* race: write data */
#pragma omp WRITE
			ready = 1;
		} else {
			int seen = 0;

			while (!seen) {
#pragma omp READ
				seen = ready;
				sched_yield();
			}
			wrong += data != 33; /* race: read data */
		}
	}
	return wrong != 0;
}
