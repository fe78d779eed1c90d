/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Combined constructs mean the same as their nest: the clauses reach the right part.
 * OpenMP 5.1, 2.16.
 */
#include <omp.h>

#include "check.h"

#define LENGTH 90

static int times[LENGTH];

static void parallel_for(void)
{
	int first = 3;
	int last = 0;
	long sum = 0;

#pragma omp parallel for num_threads(3) if (1) schedule(dynamic, 4) firstprivate(first)            \
    lastprivate(last) reduction(+ : sum)
	for (int i = 0; i < LENGTH; i++) {
		CHECK_EQUAL(omp_get_num_threads(), 3);
		count(&times[i]);
		sum += first;
		last = i;
	}
	CHECK_EQUAL(sum, 3 * LENGTH);
	CHECK_EQUAL(last, LENGTH - 1);
#pragma omp parallel for simd num_threads(2) schedule(static, 8)
	for (int i = 0; i < LENGTH; i++)
		times[i]++;
	CHECK_ALL(times, LENGTH, 2);
	memset(times, 0, sizeof(times));
}

static void parallel_sections(void)
{
	int sections = 0;

#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
			CHECK_EQUAL(omp_get_num_threads(), 2);
			count(&sections);
		}
#pragma omp section
		count(&sections);
	}
	CHECK_EQUAL(sections, 2);
}

static void parallel_master_and_masked(void)
{
	int masters = 0;
	int masked = 0;
	int last = -1;

#pragma omp parallel master num_threads(3)
	{
		CHECK_EQUAL(omp_get_thread_num(), 0);
		count(&masters);
	}
#pragma omp parallel masked num_threads(3) filter(2)
	{
		CHECK_EQUAL(omp_get_thread_num(), 2);
		count(&masked);
	}
#pragma omp parallel master taskloop grainsize(7) lastprivate(last)
	for (int i = 0; i < LENGTH; i++) {
		count(&times[i]);
		last = i;
	}
	CHECK_EQUAL(last, LENGTH - 1);
#ifndef __clang__ /* clang 19 loses the iterations, on its own runtime too */
#pragma omp parallel masked taskloop simd num_tasks(5)
#endif
	for (int i = 0; i < LENGTH; i++)
		times[i]++;
	CHECK_ALL(times, LENGTH, 2);
	memset(times, 0, sizeof(times));
	CHECK_EQUAL(masters, 1);
	CHECK_EQUAL(masked, 1);
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 20; i++) {
		parallel_for();
		parallel_sections();
		parallel_master_and_masked();
	}
	return check_result();
}
