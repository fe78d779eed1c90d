/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancellation: the thread that cancels has written before, and those that leave at a cancellation
 * point or a barrier meet it at the end of the cancelled construct, after which its writes are
 * seen.
 */
#include "plant.h"

static void loop(int round, int *written)
{
	int here = 0;

#pragma omp parallel num_threads(THREADS)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 100; i++) {
			if (i == 5) {
				*written = round;
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
		wait_if_planted(&here, THREADS);
		if (PLANTED)
			(*written)++;
		CHECK_RESULT(*written, round);
	}
}

static void region(int round, int *written)
{
#pragma omp parallel num_threads(THREADS)
	{
		if (omp_get_thread_num() == THREADS - 1) {
			*written = round;
#pragma omp cancel parallel
		}
#pragma omp barrier
		(*written)--; /* no thread comes here */
	}
	CHECK_RESULT(*written, round);
}

static void group(int round, int *written)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < 30; i++) {
#pragma omp task
			{
				if (i == 3) {
					*written = round;
#pragma omp cancel taskgroup
				}
			}
		}
		CHECK_RESULT(*written == round || *written == round - 1, 1);
	}
}

int main(int argc, char **arguments)
{
	int written[3] = {0};

	(void)argc;
	check_needs_environment(arguments, "OMP_CANCELLATION", "true");
	for (int round = 1; round <= 10; round++) {
		written[2] = round - 1;
		loop(round, &written[0]);
		region(round, &written[1]);
		group(round, &written[2]);
	}
	return check_result();
}
