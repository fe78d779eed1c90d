/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lastprivate, firstprivate and linear on loops: the sequentially last iteration's value comes out,
 * whichever thread ran it; lastprivate(conditional:) takes the last iteration that assigned.
 * OpenMP 5.1, 2.21.4.5 and 2.21.4.6.
 */
#include <omp.h>

#include "check.h"

static void last_iteration_wins(int iterations)
{
	int value = -1;
	int both = 1000;
	long where = -1;

#pragma omp parallel for schedule(dynamic) lastprivate(value) firstprivate(both) lastprivate(both)
	for (int i = 0; i < iterations; i++) {
		value = i * 3;
		CHECK(both >= 1000);
		both = 1000 + i;
	}
	CHECK_EQUAL(value, (iterations - 1) * 3);
	CHECK_EQUAL(both, 999 + iterations);
#pragma omp parallel
#pragma omp for schedule(guided) lastprivate(where)
	for (int i = iterations; i > 0; i--)
		where = i;
	CHECK_EQUAL(where, 1);
#pragma omp parallel for schedule(static, 2) lastprivate(where)
	for (int i = 0; i < iterations; i++)
		where = i;
	CHECK_EQUAL(where, iterations - 1);
}

static void arrays_come_out_whole(void)
{
	int values[20];

#pragma omp parallel for schedule(runtime) lastprivate(values)
	for (int i = 0; i < 50; i++)
		for (int j = 0; j < 20; j++)
			values[j] = i * 100 + j;
	for (int j = 0; j < 20; j++)
		CHECK_EQUAL(values[j], 4900 + j);
}

/* Visible to all after the loop's barrier, also inside the region. */
static void visible_in_the_region(void)
{
	int value = 0;

#pragma omp parallel
	{
#pragma omp for lastprivate(value) schedule(dynamic, 3)
		for (int i = 0; i < 100; i++)
			value = i;
		CHECK_EQUAL(value, 99);
	}
}

static void conditional(int divisor)
{
#ifndef __clang__ /* clang 19 copies from a member that has no value, on its own runtime too */
	int found = -1;
	int expected = -1;

#pragma omp parallel for schedule(dynamic, 2) lastprivate(conditional : found)
	for (int i = 0; i < 120; i++)
		if (i % divisor == 1)
			found = i;
	for (int i = 0; i < 120; i++)
		if (i % divisor == 1)
			expected = i;
	CHECK_EQUAL(found, expected);
	found = -1;
#pragma omp parallel for schedule(static) lastprivate(conditional : found)
	for (int i = 0; i < 120; i++)
		if (i % divisor == 1)
			found = i;
	CHECK_EQUAL(found, expected);
#else
	(void)divisor;
#endif
}

static void linear(void)
{
	int position = 7;
	int wrong = 0;

#pragma omp parallel for schedule(dynamic) linear(position : 4)
	for (int i = 0; i < 77; i++) {
		if (position != 7 + 4 * i)
			count(&wrong);
		position += 4;
	}
	CHECK_EQUAL(wrong, 0);
	CHECK_EQUAL(position, 7 + 4 * 77);
}

int main(void)
{
	omp_set_schedule(omp_sched_dynamic, 3);
	for (int i = 0; i < 20; i++) {
		last_iteration_wins(1);
		last_iteration_wins(65);
		arrays_come_out_whole();
		visible_in_the_region();
		conditional(2);
		conditional(59);
		conditional(1000);
		linear();
	}
	return check_result();
}
