/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits that find nothing left to wait for, because another thread has completed the task long
 * before, must order its writes all the same: taskwait, taskwait with depend, taskgroup, barrier
 * and the region's end.
 */
#include "plant.h"

static int over; /* relaxed atomic: tells that the task has run, and orders nothing */

/* Gives the other threads time to take the task and end it; so short a wait can only be unlucky. */
static void let_it_end(void)
{
	double deadline = check_clock() + 0.1;

	while (!__atomic_load_n(&over, __ATOMIC_RELAXED) && check_clock() < deadline)
		sched_yield();
	usleep(2000);
	__atomic_store_n(&over, 0, __ATOMIC_RELAXED);
}

static void run(int *value, int round)
{
	*value = round;
	__atomic_store_n(&over, 1, __ATOMIC_RELAXED);
}

static void at_joins(int round)
{
	int value = 0;

#pragma omp parallel num_threads(THREADS)
	if (omp_get_thread_num() == THREADS - 1) {
#pragma omp task
		run(&value, round);
		let_it_end();
	}
	CHECK_RESULT(value, round);
}

int main(void)
{
	for (int round = 1; round <= 5; round++) {
		int values[4] = {0};

#pragma omp parallel num_threads(THREADS)
		{
#pragma omp single nowait
			{
#pragma omp task
				run(&values[0], round);
				let_it_end();
				SYNCHRONISE("omp taskwait")
				CHECK_RESULT(values[0], round);
#pragma omp task depend(out : values[1])
				run(&values[1], round);
				let_it_end();
				SYNCHRONISE("omp taskwait depend(in : values[1])")
				CHECK_RESULT(values[1], round);
				SYNCHRONISE("omp taskgroup")
				{
#pragma omp task
					run(&values[2], round);
					let_it_end();
				}
				CHECK_RESULT(values[2], round);
#pragma omp task
				run(&values[3], round);
				let_it_end();
			}
			SYNCHRONISE("omp barrier")
			CHECK_RESULT(values[3], round);
		}
		at_joins(round);
	}
	return check_result();
}
