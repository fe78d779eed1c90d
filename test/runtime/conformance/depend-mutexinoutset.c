/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mutexinoutset: the tasks of one set run in any order, one at a time, and the set is ordered
 * against readers and writers. OpenMP 5.1, 2.19.11.
 */
#include <omp.h>

#include "check.h"

static void mutually_exclusive(int members)
{
	int value = 0;
	int inside = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 5; round++) {
#pragma omp task depend(out : value)
		{
			CHECK_EQUAL(value, round * (members + 1));
			value++;
		}
		for (int i = 0; i < members; i++) {
#pragma omp task depend(mutexinoutset : value)
			{
				CHECK_EQUAL(count(&inside), 0);
				dawdle(50);
				value++; /* plain: the set excludes */
				__atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
			}
		}
#pragma omp task depend(in : value)
		CHECK_EQUAL(value, (round + 1) * (members + 1));
	}
}

/* Sets over two addresses: a task that names both excludes the members of either. */
static void two_mutexes(void)
{
	int left = 0;
	int right = 0;
	int inside_left = 0;
	int inside_right = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 60; i++) {
		if (i % 3 == 0) {
#pragma omp task depend(mutexinoutset : left, right)
			{
				CHECK_EQUAL(count(&inside_left), 0);
				CHECK_EQUAL(count(&inside_right), 0);
				left++;
				right++;
				__atomic_sub_fetch(&inside_left, 1, __ATOMIC_RELAXED);
				__atomic_sub_fetch(&inside_right, 1, __ATOMIC_RELAXED);
			}
		} else if (i % 3 == 1) {
#pragma omp task depend(mutexinoutset : left)
			{
				CHECK_EQUAL(count(&inside_left), 0);
				left++;
				__atomic_sub_fetch(&inside_left, 1, __ATOMIC_RELAXED);
			}
		} else {
#pragma omp task depend(mutexinoutset : right)
			{
				CHECK_EQUAL(count(&inside_right), 0);
				right++;
				__atomic_sub_fetch(&inside_right, 1, __ATOMIC_RELAXED);
			}
		}
	}
	CHECK_EQUAL(left, 40);
	CHECK_EQUAL(right, 40);
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
		mutually_exclusive(1);
		mutually_exclusive(8);
		two_mutexes();
	}
	return check_result();
}
