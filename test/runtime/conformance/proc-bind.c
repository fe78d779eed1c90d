/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * proc_bind over the places of OMP_PLACES: each thread runs inside its place's processors, its
 * place number fits, primary puts all on the master's place, close on consecutive ones, and
 * omp_get_proc_bind returns the policy of the next region. OpenMP 5.1, 2.6.2 and 3.3.
 */
#include <omp.h>

#include "check.h"

#define MOST 1024

static int place_of[MOST];

/* The processors that this thread may run on are those of its place. */
static void check_mask(void)
{
	int place = omp_get_place_num();
	int processors[CPU_SETSIZE];
	cpu_set_t mask;
	int members;

	if (!CHECK(place >= 0 && place < omp_get_num_places()))
		return;
	members = omp_get_place_num_procs(place);
	CHECK(members >= 1 && members <= CPU_SETSIZE);
	omp_get_place_proc_ids(place, processors);
	CHECK_EQUAL(sched_getaffinity(0, sizeof(mask), &mask), 0);
	CHECK_EQUAL(CPU_COUNT(&mask), members);
	for (int i = 0; i < members; i++)
		CHECK(CPU_ISSET(processors[i], &mask));
}

static int record(void)
{
	int number = omp_get_thread_num();

	check_mask();
	if (number < MOST)
		place_of[number] = omp_get_place_num();
	return omp_get_num_threads();
}

static void policies(void)
{
	int places = omp_get_num_places();
	int master = omp_get_place_num();
	int size = 0;

#pragma omp parallel proc_bind(primary)
	{
		int found = record();
#pragma omp masked
		size = found;
	}
	for (int i = 0; i < size && i < MOST; i++)
		CHECK_EQUAL(place_of[i], master);
#pragma omp parallel proc_bind(close) num_threads(places)
	record();
	for (int i = 0; i < places && i < MOST; i++)
		CHECK_EQUAL(place_of[i], (master + i) % places);
#pragma omp parallel proc_bind(spread) num_threads(places)
	{
		record();
	}
	for (int i = 0; i < places && i < MOST; i++)
		for (int j = 0; j < i; j++)
			CHECK(place_of[i] != place_of[j]);
#pragma omp parallel proc_bind(close)
	record();
#pragma omp parallel proc_bind(spread)
	{
		int first = omp_get_partition_num_places();
		int numbers[MOST];

		CHECK(first >= 1 && first <= places);
		omp_get_partition_place_nums(numbers);
		for (int i = 0; i < first; i++)
			CHECK(numbers[i] >= 0 && numbers[i] < places);
		record();
	}
}

int main(int argc, char **arguments)
{
	(void)argc;
	setenv("OMP_PROC_BIND", "close", 1);
	check_needs_environment(arguments, "OMP_PLACES", "threads");
	omp_set_dynamic(0);
	CHECK_EQUAL(omp_get_proc_bind(), omp_proc_bind_close);
	CHECK(omp_get_num_places() >= 1);
	if (omp_get_num_places() > MOST)
		return 77;
	for (int i = 0; i < 10; i++)
		policies();
	return check_result();
}
