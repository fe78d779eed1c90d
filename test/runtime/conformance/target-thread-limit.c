/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread_limit of a target construct on the host bounds the threads of its region, nested teams
 * together, which are a contention group of their own: neither those around it count, nor does the
 * limit outlive the region. OpenMP 5.1, 2.14.5.
 */
#include <omp.h>

#include "check.h"

enum { LIMIT = 4, MORE = 10 };

static int threads_of(int requested)
{
	int size = 0;

#pragma omp parallel num_threads(requested) reduction(+ : size)
	size++;
	return size;
}

static int unlimited;

static void check_around(void)
{
	CHECK_EQUAL(omp_get_thread_limit(), unlimited);
	CHECK_EQUAL(threads_of(MORE), MORE);
}

static void check_inside(int limit)
{
	CHECK_EQUAL(omp_get_thread_limit(), limit);
	CHECK_EQUAL(threads_of(MORE), limit);
	CHECK_EQUAL(threads_of(limit), limit);
	CHECK_EQUAL(threads_of(1), 1);
}

static void plain(int limit)
{
#pragma omp target thread_limit(limit)
	check_inside(limit);
	check_around();
}

static void combined(void)
{
	int size = 0, inside = 0;

#pragma omp target parallel num_threads(MORE) thread_limit(LIMIT) map(tofrom : size, inside)
	{
#pragma omp atomic
		size++;
#pragma omp master
		inside = omp_get_thread_limit();
	}
	CHECK_EQUAL(size, LIMIT);
	CHECK_EQUAL(inside, LIMIT);
#pragma omp target teams num_teams(1) thread_limit(LIMIT)
	check_inside(LIMIT);
	check_around();
}

/* The value of one construct is none of the next league's. */
static void teams_after(void)
{
#pragma omp target thread_limit(2)
	check_inside(2);
#pragma omp teams num_teams(1)
	check_around();
}

static void teams_inside(void)
{
#pragma omp target thread_limit(LIMIT)
#pragma omp teams num_teams(1)
	check_inside(LIMIT);
	check_around();
}

/* All threads of the group, in whichever teams. */
static void nested(void)
{
	int now = 0, most = 0;

#pragma omp target thread_limit(LIMIT) map(tofrom : now, most)
	{
		omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(MORE)
		{
			int before = count(&now) + 1;

#pragma omp critical
			most = before > most ? before : most;
			dawdle(2000);
			__atomic_sub_fetch(&now, 1, __ATOMIC_RELAXED);
		}
		check_inside(LIMIT);
	}
	CHECK(most >= 1 && most <= LIMIT);
}

/* Tasks of the region have its limit, and settings that they change do not lose it. */
static void tasks(void)
{
#pragma omp target thread_limit(LIMIT)
	{
#pragma omp task if (0)
		check_inside(LIMIT);
#pragma omp task
		check_inside(LIMIT);
#pragma omp taskwait
		omp_set_num_threads(3);
		check_inside(LIMIT);
#pragma omp task
		check_inside(LIMIT);
#pragma omp taskwait
		omp_set_num_threads(5);
		check_inside(LIMIT);
	}
}

/* Two at the same time: neither counts the other's threads, nor those of the team around them. */
static void at_the_same_time(void)
{
	int arrived = 0;

	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
	{
#pragma omp target thread_limit(LIMIT) map(tofrom : arrived)
		{
			omp_set_max_active_levels(3);
#pragma omp parallel num_threads(MORE)
			{
				CHECK_EQUAL(omp_get_num_threads(), LIMIT);
				start_together(&arrived, 2 * LIMIT);
			}
		}
		CHECK_EQUAL(omp_get_thread_limit(), unlimited);
	}
	omp_set_max_active_levels(1);
}

static void deferred(void)
{
	int x = 0;

#pragma omp target nowait thread_limit(3) map(tofrom : x) depend(out : x)
	{
		check_inside(3);
		x = 1;
	}
#pragma omp taskwait
	CHECK_EQUAL(x, 1);
	check_around();
}

int main(void)
{
	omp_set_dynamic(0);
	omp_set_max_active_levels(1);
	unlimited = omp_get_thread_limit();
	for (int i = 0; i < 3; i++) {
		check_around();
		plain(LIMIT);
		plain(2);
		combined();
		teams_after();
		teams_inside();
		nested();
		tasks();
		at_the_same_time();
		deferred();
	}
	return check_result();
}
