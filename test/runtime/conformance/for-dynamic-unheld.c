/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule(dynamic): no thread holds a chunk that it has not begun. A thread that stays in its
 * first iteration until all others of the loop are done, or comes to the loop only then, is waited
 * for in vain if something was set aside for it. Also many loops in turn that the members leave at
 * different times, on shared places that are used again. OpenMP 5.1, table 2.5.
 */
#include "loop-shapes.h"

#define MOST 4000

static int owner[MOST];
static int done, blocked;

static void body(int i, int iterations)
{
	int expected = 0;

	own(owner, i);
	if (omp_get_num_threads() > 1 && __atomic_compare_exchange_n(&blocked, &expected, 1, false,
					     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		CHECK(await_flag(&done, iterations - 1));
	count(&done);
}

static void blocked_member(int iterations, int chunk)
{
	disown(owner, MOST);
	done = blocked = 0;
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < iterations; i++)
		body(i, iterations);
	check_all_owned(owner, iterations, omp_get_max_threads());

	/* Of a chunk the rest waits with its first iteration, all else must be done. */
	disown(owner, MOST);
	done = 0;
#pragma omp parallel for schedule(nonmonotonic : dynamic, chunk)
	for (int i = 0; i < iterations; i++) {
		own(owner, i);
		if (i == 0 && omp_get_num_threads() > 1)
			CHECK(await_flag(&done, iterations - chunk));
		count(&done);
	}
	check_all_owned(owner, iterations, omp_get_max_threads());
}

/* One of the last iterations is still executed when the other members find nothing more. */
static void blocked_near_end(int iterations, int where)
{
	disown(owner, MOST);
	done = 0;
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < iterations; i++) {
		own(owner, i);
		if (i == where && omp_get_num_threads() > 1)
			CHECK(await_flag(&done, iterations - 1));
		count(&done);
	}
	check_all_owned(owner, iterations, omp_get_max_threads());
}

static void late_member(int iterations)
{
	disown(owner, MOST);
	done = 0;
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0 && omp_get_num_threads() > 1)
			CHECK(await_flag(&done, iterations));
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < iterations; i++) {
			own(owner, i);
			count(&done);
		}
	}
	check_all_owned(owner, iterations, omp_get_max_threads());
}

/* Lengths on both sides of what is worth dealing out, so that slots serve both kinds in turn. */
static void many_loops(void)
{
	static int sums[64];

	memset(sums, 0, sizeof(sums));
#pragma omp parallel
	for (int round = 0; round < 64; round++) {
#pragma omp for schedule(dynamic) nowait
		for (unsigned long long i = 0; i < (unsigned long long)round * 20; i++)
			count(&sums[round]);
	}
	for (int round = 0; round < 64; round++)
		CHECK_EQUAL(sums[round], round * 20);
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 3; i++) {
		blocked_member(MOST, 7);
		blocked_member(omp_get_max_threads() * 16, 1);
		for (int k = 1; k <= omp_get_max_threads(); k++)
			blocked_near_end(
			    omp_get_max_threads() * 16, omp_get_max_threads() * 16 - 1 - k);
		late_member(MOST);
		many_loops();
	}
	return check_result();
}
