/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * true: a thread waits for each step of the other by looking at one variable that the other writes.
 */
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

enum { STEPS = 16000000, BATCH = 200000 };

static _Alignas(64) atomic_int step_of_first;

static void publish(int i)
{
	atomic_store(&step_of_first, i); /* sharing: true step_of_first */
}

static int latest(void)
{
	return atomic_load(&step_of_first); /* sharing: true step_of_first */
}

int main(void)
{
	long seen = 0;

#pragma omp parallel num_threads(2) reduction(+ : seen)
	{
		if (omp_get_thread_num() == 0) {
			for (int i = 1; i <= STEPS; i++) {
#ifdef FIXED
				if (i % BATCH == 0)
#endif
					publish(i);
			}
		} else {
#ifdef FIXED
			while (latest() < STEPS)
				sched_yield();
#else
			while (latest() < STEPS)
				seen++;
#endif
		}
	}
	return seen < 0;
}
