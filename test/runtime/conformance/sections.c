/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sections: each section runs once by one thread, with more and with fewer sections than threads;
 * firstprivate, lastprivate, reduction and nowait. OpenMP 5.1, 2.10.1.
 */
#include <omp.h>

#include "check.h"

static void each_once(void)
{
	int times[7] = {0};

#pragma omp parallel
	{
#pragma omp sections
		{
			count(&times[0]);
#pragma omp section
			count(&times[1]);
#pragma omp section
			count(&times[2]);
#pragma omp section
			count(&times[3]);
#pragma omp section
			count(&times[4]);
#pragma omp section
			count(&times[5]);
#pragma omp section
			count(&times[6]);
		}
		CHECK_ALL(times, 7, 1);
	}
	CHECK_ALL(times, 7, 1);
}

static void fewer_than_threads(void)
{
	int lonely = 0;

#pragma omp parallel sections num_threads(4)
	{
#pragma omp section
		count(&lonely);
	}
	CHECK_EQUAL(lonely, 1);
}

/* Two sections that need each other run at once when the team has two threads. */
static void run_at_once(void)
{
	int first = 0;
	int second = 0;

#pragma omp parallel sections num_threads(2)
	{
		{
			raise_flag(&first);
			CHECK(await_flag(&second, 1));
		}
#pragma omp section
		{
			raise_flag(&second);
			CHECK(await_flag(&first, 1));
		}
	}
}

static void data_clauses(void)
{
	int start = 5;
	int last = -1;
	int sum = 100;

#pragma omp parallel sections firstprivate(start) lastprivate(last) reduction(+ : sum)
	{
		{
			last = 10;
			sum += start;
		}
#pragma omp section
		{
			last = 20;
			sum += 2 * start;
		}
#pragma omp section
		{
			last = 30;
			sum += 3 * start;
		}
	}
	CHECK_EQUAL(last, 30);
	CHECK_EQUAL(sum, 130);
}

static void nowait_goes_on(int threads)
{
	int passed = 0;

	if (threads == 1)
		return;
#pragma omp parallel
	{
#pragma omp sections nowait
		{
			CHECK(await_flag(&passed, threads - 1));
		}
		raise_flag(&passed);
	}
	CHECK_EQUAL(passed, threads);
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 20; i++) {
		each_once();
		fewer_than_threads();
		run_at_once();
		data_clauses();
		nowait_goes_on(omp_get_max_threads());
	}
	return check_result();
}
