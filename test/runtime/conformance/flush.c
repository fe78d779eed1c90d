/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flush and the memory order of atomics: what was written before a release is seen after the
 * acquire that reads it; a ring of threads hands a plain value round. OpenMP 5.1, 1.4.4 and 2.19.8.
 */
#include <omp.h>

#include "check.h"

#define ROUNDS 10

static long message;
static int turn;

static int read_turn(void)
{
	int found;

#pragma omp atomic read acquire
	found = turn;
	return found;
}

static void next_turn(void)
{
#pragma omp atomic update release
	turn++;
}

int main(void)
{
	int threads = omp_get_max_threads();

	omp_set_dynamic(0);
#pragma omp parallel
	{
		int me = omp_get_thread_num();

		for (int round = 0; round < ROUNDS; round++) {
			int my_turn = round * threads + me;
			double deadline = check_deadline(10);

			while (read_turn() != my_turn && keep_waiting(deadline))
				sched_yield();
			if (!CHECK_EQUAL(read_turn(), my_turn))
				break;
			CHECK_EQUAL(message, my_turn);
			message++;
#pragma omp flush
			next_turn();
		}
	}
	CHECK_EQUAL(message, ROUNDS * threads);
	return check_result();
}
