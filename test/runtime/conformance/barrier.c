/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier: no thread passes before all have arrived, and everything written before it is seen after
 * it, over many rounds, in nested teams, and with the tasks of the team done. OpenMP 5.1, 2.19.2.
 */
#include <omp.h>

#include "check.h"

#define ROUNDS 60
#define MANY   4096

static int slots[MANY]; /* plain: only barriers order them */

static void all_have_arrived(int threads)
{
	int arrived = 0;

#pragma omp parallel
	for (int round = 1; round <= ROUNDS; round++) {
		count(&arrived);
#pragma omp barrier
		CHECK_EQUAL(__atomic_load_n(&arrived, __ATOMIC_RELAXED), round * threads);
#pragma omp barrier
	}
}

/* Each reads what its neighbours on both sides wrote in the round before. */
static void neighbours_are_visible(int threads)
{
	if (threads > MANY)
		return;
#pragma omp parallel
	{
		int me = omp_get_thread_num();

		slots[me] = 0;
		for (int round = 1; round <= ROUNDS; round++) {
			slots[me] = round * (me + 1);
#pragma omp barrier
			for (int other = 0; other < threads; other++)
				CHECK_EQUAL(slots[other], round * (other + 1));
#pragma omp barrier
		}
	}
}

static void late_arrivals(int threads)
{
	int arrived = 0;

#pragma omp parallel
	for (int round = 0; round < 6; round++) {
		if (omp_get_thread_num() == round % threads) {
			struct timespec pause = {0, 2000000};

			nanosleep(&pause, NULL); /* the others have long gone to sleep */
		}
		count(&arrived);
#pragma omp barrier
		CHECK(__atomic_load_n(&arrived, __ATOMIC_RELAXED) >= (round + 1) * threads);
	}
}

static void nested_teams(void)
{
	int arrived[3] = {0};

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
	{
		int outer = omp_get_thread_num();

#pragma omp parallel num_threads(3)
		for (int round = 1; round <= 20; round++) {
			count(&arrived[outer]);
#pragma omp barrier
			CHECK_EQUAL(__atomic_load_n(&arrived[outer], __ATOMIC_RELAXED), 3 * round);
#pragma omp barrier
		}
	}
	CHECK_ALL(arrived, 3, 60);
}

static void tasks_are_done(int threads)
{
	int done = 0;

#pragma omp parallel
	for (int round = 1; round <= 10; round++) {
		for (int i = 0; i < 5; i++) {
#pragma omp task
			{
				dawdle(50);
#pragma omp task
				count(&done);
			}
		}
#pragma omp barrier
		CHECK_EQUAL(__atomic_load_n(&done, __ATOMIC_RELAXED), 5 * round * threads);
#pragma omp barrier
	}
}

int main(void)
{
	int threads = omp_get_max_threads();

	omp_set_dynamic(0);
	all_have_arrived(threads);
	neighbours_are_visible(threads);
	late_arrivals(threads);
	nested_teams();
	tasks_are_done(threads);
	return check_result();
}
