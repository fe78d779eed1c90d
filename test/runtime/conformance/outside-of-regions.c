/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Worksharing, synchronisation and tasks without a parallel region bind to the initial thread's
 * team of one, and orphaned constructs bind to whatever region calls them. OpenMP 5.1, 1.3 and 2.6.
 */
#include <omp.h>

#include "check.h"

#define LENGTH 50

static int times[LENGTH];

static void orphaned(int *singles, int *sections, int *ordered)
{
#pragma omp for schedule(dynamic, 3)
	for (int i = 0; i < LENGTH; i++)
		count(&times[i]);
#pragma omp for schedule(guided) nowait
	for (int i = 0; i < LENGTH; i++)
		count(&times[i]);
#pragma omp single
	count(singles);
#pragma omp sections
	{
		count(sections);
#pragma omp section
		count(sections);
#pragma omp section
		count(sections);
	}
#pragma omp for ordered schedule(runtime)
	for (int i = 0; i < LENGTH; i++) {
#pragma omp ordered
		CHECK_EQUAL((*ordered)++, i);
	}
#pragma omp barrier
#pragma omp critical
	(*singles)++;
#pragma omp master
	*ordered = 0;
#pragma omp barrier
}

static void doacross(void)
{
	int cells[LENGTH] = {1};

#pragma omp for ordered(1) schedule(dynamic)
	for (int i = 1; i < LENGTH; i++) {
#pragma omp ordered depend(sink : i - 1)
		cells[i] = cells[i - 1] + 1;
#pragma omp ordered depend(source)
	}
	CHECK_EQUAL(cells[LENGTH - 1], LENGTH);
}

static void check_run(int expected, int threads)
{
	int singles = 0;
	int sections = 0;
	int ordered = 0;

	memset(times, 0, sizeof(times));
	if (threads == 0) {
		orphaned(&singles, &sections, &ordered);
		threads = 1;
	} else {
#pragma omp parallel num_threads(threads)
		orphaned(&singles, &sections, &ordered);
	}
	CHECK_ALL(times, LENGTH, expected);
	CHECK_EQUAL(singles, 1 + threads);
	CHECK_EQUAL(sections, 3);
}

int main(void)
{
	int sum = 0;
	int copied = 0;

	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
		check_run(2, 0);
		check_run(2, omp_get_max_threads());
		check_run(2, 1);
		doacross();
	}
#pragma omp single copyprivate(copied)
	copied = 4;
	CHECK_EQUAL(copied, 4);
#pragma omp taskgroup task_reduction(+ : sum)
	for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
		sum += i;
	}
	CHECK_EQUAL(sum, 45);
#pragma omp taskloop reduction(+ : sum)
	for (int i = 0; i < 10; i++)
		sum += i;
	CHECK_EQUAL(sum, 90);
#pragma omp taskyield
#pragma omp flush
	return check_result();
}
