/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads run where the places and policies say (OpenMP 5.1, 2.6.2): the kernel's affinity mask of
 * each thread equals its place, the API names that place, and partitions nest.
 *
 * The program gives itself three places out of the processors it has, whatever their number.
 */
#include <omp.h>

#include "check.h"

enum { PLACES = 3, MOST = 16 };

static cpu_set_t place_sets[PLACES];

/* The calling thread's mask is that of the place that the API names. */
static bool runs_in_its_place(void)
{
	int place = omp_get_place_num();
	cpu_set_t mask;

	return place >= 0 && place < PLACES && sched_getaffinity(0, sizeof(mask), &mask) == 0 &&
	       CPU_EQUAL(&mask, &place_sets[place]);
}

static void read_places(void)
{
	int ids[CPU_SETSIZE];

	CHECK_EQUAL(omp_get_num_places(), PLACES);
	for (int i = 0; i < PLACES; i++) {
		CPU_ZERO(&place_sets[i]);
		omp_get_place_proc_ids(i, ids);
		for (int j = 0; j < omp_get_place_num_procs(i); j++)
			CPU_SET(ids[j], &place_sets[i]);
	}
	CHECK_EQUAL(omp_get_place_num_procs(-1), 0);
	CHECK_EQUAL(omp_get_place_num_procs(PLACES), 0);
}

/* Where `size` threads are, and the length of each one's partition. */
static int places[MOST], lengths[MOST], bound[MOST], size;

static void note(void)
{
	int number = omp_get_thread_num();

	if (number == 0)
		size = omp_get_num_threads();
	places[number] = omp_get_place_num();
	lengths[number] = omp_get_partition_num_places();
	bound[number] = runs_in_its_place();
}

static void expect(const char *what, const int *wanted, int length)
{
	for (int i = 0; i < size; i++)
		if (places[i] != wanted[i] || (length && lengths[i] != length) || !bound[i]) {
			fprintf(stderr,
			    "%s: thread %d of %d: place %d (expected %d), partition of %d, %s\n",
			    what, i, size, places[i], wanted[i], lengths[i],
			    bound[i] ? "runs there" : "runs elsewhere");
			check_failed();
		}
}

static void test_policies(void)
{
	static const int from_first[] = {0, 1, 2}, primary[MOST] = {0};

#pragma omp parallel num_threads(3) proc_bind(close)
	note();
	expect("close", from_first, PLACES);
#pragma omp parallel num_threads(3) proc_bind(spread)
	note();
	expect("spread", from_first, 1);
#pragma omp parallel num_threads(5) proc_bind(primary)
	note();
	expect("primary", primary, PLACES);
#pragma omp parallel num_threads(2) proc_bind(close)
	note();
	expect("close again", from_first, PLACES);
#pragma omp parallel num_threads(6) proc_bind(close)
	note();
	expect("close, two in each", (const int[]){0, 0, 1, 1, 2, 2}, PLACES);
#pragma omp parallel num_threads(3)
	note();
	expect("OMP_PROC_BIND's first policy", from_first, 1);
}

/* Below a member of a spread team there is only its own partition. */
static void test_nested(void)
{
#pragma omp parallel num_threads(3) proc_bind(spread)
	{
		int own = omp_get_place_num(), ids[PLACES], wrong = 0;
		omp_get_partition_place_nums(ids);
		CHECK_EQUAL(ids[0], own);
#pragma omp parallel num_threads(2) reduction(+ : wrong)
		wrong += omp_get_place_num() != own || !runs_in_its_place();
		CHECK_EQUAL(wrong, 0);
	}
}

int main(int count, char **arguments)
{
	char list[64];
	cpu_set_t mask;
	int first = 0, last = 0;

	(void)count;
	if (sched_getaffinity(0, sizeof(mask), &mask) != 0)
		return 77;
	if (!getenv("OMP_PLACES")) {
		while (!CPU_ISSET(first, &mask))
			first++;
		for (int i = 0; i < CPU_SETSIZE; i++)
			if (CPU_ISSET(i, &mask))
				last = i;
		if (first == last)
			return 77;
		snprintf(list, sizeof(list), "{%d},{%d},{%d,%d}", first, last, first, last);
		setenv("OMP_PROC_BIND", "spread,close", 1);
		check_needs_environment(arguments, "OMP_PLACES", list);
	}
	CHECK_EQUAL(omp_get_proc_bind(), omp_proc_bind_spread);
	CHECK_EQUAL(omp_get_partition_num_places(), PLACES);
	CHECK_EQUAL(omp_get_place_num(), 0);
	read_places();
	CHECK(runs_in_its_place());
	test_policies();
	test_nested();
	return check_result();
}
