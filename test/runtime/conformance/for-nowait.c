/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nowait: a thread that finished its share goes on into the next constructs while others still sit
 * in an earlier one, however many there are in between. OpenMP 5.1, 2.11.4 and 2.10.
 */
#include <omp.h>
#include <time.h>

#include "check.h"

#define LOOPS  40
#define LENGTH 20
#define FAR    200000

static int times[LOOPS][LENGTH];

/* Thread 0 stays in the first loop until the others have passed all the rest. */
static void straggler(int threads)
{
	int passed = 0;

	memset(times, 0, sizeof(times));
#pragma omp parallel num_threads(threads)
	{
#pragma omp for schedule(static, 1) nowait
		for (int i = 0; i < LENGTH; i++) {
			count(&times[0][i]);
			if (i == 0 && threads > 1)
				CHECK(await_flag(&passed, threads - 1));
		}
		for (int loop = 1; loop < LOOPS; loop += 3) {
#pragma omp for schedule(dynamic, 2) nowait
			for (int i = 0; i < LENGTH; i++)
				count(&times[loop][i]);
			if (loop + 1 < LOOPS) {
#pragma omp for schedule(guided) nowait
				for (int i = 0; i < LENGTH; i++)
					count(&times[loop + 1][i]);
			}
			if (loop + 2 < LOOPS) {
#pragma omp single nowait
				for (int i = 0; i < LENGTH; i++)
					count(&times[loop + 2][i]);
			}
		}
		if (omp_get_thread_num() != 0)
			raise_flag(&passed);
	}
	CHECK_ALL(&times[0][0], LOOPS * LENGTH, 1);
}

/* Processor time of the calling thread. */
static double own_seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/*
 * Thread 0 stays before the first of FAR loops until the other has passed them all. Where the time
 * for one grows with the number of loops between the two, this takes 10 s, else less than 0.1 s.
 * It is each thread's own while it passes, not what it spends on waiting.
 */
static void far_ahead(int threads)
{
	int passed = 0, iterations = 0;

#pragma omp parallel num_threads(threads)
	{
		if (omp_get_thread_num() == 0 && threads > 1)
			CHECK(await_flag(&passed, 1));
		double before = own_seconds();
		for (int loop = 0; loop < FAR; loop++) {
#pragma omp for schedule(dynamic) nowait
			for (int i = 0; i < 1; i++)
				count(&iterations);
		}
		if (omp_get_thread_num() != 0)
			raise_flag(&passed);
		CHECK(own_seconds() - before < 5);
	}
	CHECK_EQUAL(iterations, FAR);
}

/* Many constructs in a row, with a barrier now and then, must not exhaust anything. */
static void many_in_a_row(void)
{
	int iterations = 0;
	int singles = 0;

#pragma omp parallel
	for (int round = 0; round < 300; round++) {
#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < 3; i++)
			count(&iterations);
#pragma omp single nowait
		count(&singles);
		if (round % 100 == 99) {
#pragma omp barrier
			CHECK_EQUAL(__atomic_load_n(&iterations, __ATOMIC_RELAXED) >= 3 * round, 1);
		}
	}
	CHECK_EQUAL(iterations, 900);
	CHECK_EQUAL(singles, 300);
}

int main(void)
{
	int threads = omp_get_max_threads();

	omp_set_dynamic(0);
	for (int i = 0; i < 3; i++) {
		straggler(threads);
		many_in_a_row();
	}
	far_ahead(threads > 1 ? 2 : 1);
	return check_result();
}
