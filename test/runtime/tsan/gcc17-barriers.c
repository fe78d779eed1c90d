/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GCC 17's barriers of all kinds, and those after its loops and singles: each member reads what
 * its neighbour wrote before.
 */
#include "plant.h"

#include "gcc17.h"

static int values[THREADS], shared;

int main(void)
{
	if (!CHECK(gcc17_has_entries()))
		return check_result();
#pragma omp parallel num_threads(THREADS)
	{
		int me = omp_get_thread_num();

		for (int round = 1; round <= 50; round++) {
			GCC17_LOOP(GCC17_BASIC, THREADS, 0, i, values[i] = round);
			SYNCHRONISING(GOMP_barrier_ext(GCC17_OF_WORKSHARE);)
			CHECK_RESULT(values[(me + 1) % THREADS], round);
			SYNCHRONISING(GOMP_barrier_cancel_ext(GCC17_EXPLICIT);)
			GCC17_SINGLE(GCC17_BASIC, !PLANTED, shared = round);
			CHECK_RESULT(shared, round);
			SYNCHRONISING(GOMP_barrier_ext(GCC17_OF_PARALLEL);)
		}
	}
	return check_result();
}
