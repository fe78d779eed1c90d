/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * omp_pause_resource and omp_pause_resource_all: not within a region; after it regions work as
 * before, whether the resources were given back, or a tool with them (omp_pause_stop_tool, which
 * needs none). Settings stay.
 */
#include <omp.h>

#include "check.h"

/* By its number: omp.h has the name since GCC 17. */
#define STOP_TOOL ((omp_pause_resource_t)3)

static void region(void)
{
	int threads = omp_get_max_threads(), members = 0, tasks = 0, sum = 0;

#pragma omp parallel reduction(+ : members)
	{
		members++;
		CHECK_EQUAL(omp_get_num_threads(), threads);
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
		for (int i = 0; i < 100; i++)
			sum += i;
#pragma omp single
		for (int i = 0; i < 20; i++)
#pragma omp task
			__atomic_add_fetch(&tasks, 1, __ATOMIC_RELAXED);
	}
	CHECK_EQUAL(members, threads);
	CHECK_EQUAL(sum, 4950);
	CHECK_EQUAL(tasks, 20);
}

static void pause_after_region(omp_pause_resource_t kind)
{
	region();
	CHECK_EQUAL(omp_pause_resource_all(kind), 0);
	region();
	CHECK_EQUAL(omp_pause_resource(kind, omp_get_initial_device()), 0);
	CHECK_EQUAL(omp_pause_resource(kind, omp_get_initial_device()), 0);
	CHECK(omp_pause_resource(kind, omp_get_num_devices() + 1) != 0);
#pragma omp parallel
	CHECK(omp_pause_resource_all(kind) != 0);
	region();
}

int main(void)
{
	omp_set_dynamic(0);
	pause_after_region(omp_pause_soft);
	pause_after_region(omp_pause_hard);
	pause_after_region(STOP_TOOL);
	pause_after_region(omp_pause_hard);
	return check_result();
}
