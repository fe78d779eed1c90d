/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task and taskwait: every task runs once, with the firstprivate values of its creation, and
 * taskwait waits for the children only of the task that calls it; deep and wide trees, many tasks
 * from one thread and from all. OpenMP 5.1, 2.12.1 and 2.19.5.
 */
#include <omp.h>

#include "check.h"

#define MANY 3000

static int times[MANY];

static long fibonacci(int n)
{
	long one;
	long two;

	if (n < 2)
		return n;
#pragma omp task shared(one)
	one = fibonacci(n - 1);
#pragma omp task shared(two)
	two = fibonacci(n - 2);
#pragma omp taskwait
	return one + two;
}

static long chain(int depth)
{
	long below = 0;

	if (depth == 0)
		return 0;
#pragma omp task shared(below)
	below = chain(depth - 1);
#pragma omp taskwait
	return below + 1;
}

struct record {
	int number;
	char text[200];
	double value;
};

static void copies_are_taken_at_creation(void)
{
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 100; i++) {
		struct record record = {.number = i, .value = i / 2.0};

		snprintf(record.text, sizeof(record.text), "record %d", i);
#pragma omp task firstprivate(record) shared(wrong)
		{
			char expected[32];

			snprintf(expected, sizeof(expected), "record %d", i);
			if (record.number != i || record.value != i / 2.0 ||
			    strcmp(record.text, expected) != 0)
				count(&wrong);
		}
		record.number = -1;
		strcpy(record.text, "overwritten");
	}
	CHECK_EQUAL(wrong, 0);
}

static void many(void)
{
	memset(times, 0, sizeof(times));
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < MANY; i++) {
#pragma omp task
		count(&times[i]);
	}
	CHECK_ALL(times, MANY, 1);
	memset(times, 0, sizeof(times));
#pragma omp parallel
#pragma omp for schedule(dynamic, 50)
	for (int i = 0; i < MANY; i++) {
#pragma omp task
		count(&times[i]);
	}
	CHECK_ALL(times, MANY, 1);
}

/* The region's end waits for tasks for which no taskwait waited, and for those that they made. */
static void region_end_waits(int threads)
{
	int done = 0;

#pragma omp parallel
	{
#pragma omp task
		{
#pragma omp task
			{
				dawdle(100);
#pragma omp task
				count(&done);
			}
		}
	}
	CHECK_EQUAL(done, threads);
}

/* Outside of any region, tasks belong to a team of one. */
static void without_a_region(void)
{
	int done = 0;

#pragma omp task shared(done)
	{
#pragma omp task shared(done)
		count(&done);
#pragma omp taskwait
		count(&done);
	}
#pragma omp taskwait
	CHECK_EQUAL(done, 2);
	CHECK_EQUAL(fibonacci(10), 55);
}

int main(void)
{
	long result = 0;

	omp_set_dynamic(0);
	without_a_region();
#pragma omp parallel
#pragma omp single
	result = fibonacci(14);
	CHECK_EQUAL(result, 377);
#pragma omp parallel
#pragma omp single
	result = chain(300);
	CHECK_EQUAL(result, 300);
	copies_are_taken_at_creation();
	many();
	for (int i = 0; i < 10; i++)
		region_end_waits(omp_get_max_threads());
	return check_result();
}
