/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dimensions of OpenMP 6.1: dimension 0 is the plain numbering of threads and teams, others have
 * one of each, and more than one at a time is not supported.
 */
#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>

#include "check.h"

enum { DIMENSIONS = 12 };

static void *find(const char *name)
{
	void *routine = dlsym(RTLD_DEFAULT, name);

	if (!CHECK(routine != NULL)) {
		fprintf(stderr, "%s is missing\n", name);
		exit(1);
	}
	return routine;
}

typedef int query_fn(int dimension);
static query_fn *threads, *thread, *limit, *teams, *team;

static void check_here(void)
{
	CHECK_EQUAL(threads(0), omp_get_num_threads());
	CHECK_EQUAL(thread(0), omp_get_thread_num());
	CHECK_EQUAL(limit(0), omp_get_thread_limit());
	CHECK_EQUAL(teams(0), omp_get_num_teams());
	CHECK_EQUAL(team(0), omp_get_team_num());
	for (int i = -2; i <= DIMENSIONS; i++) {
		if (i == 0)
			continue;
		CHECK(threads(i) == 1 && thread(i) == 0 && limit(i) == 1);
		CHECK(teams(i) == 1 && team(i) == 0);
	}
}

static void test_regions(void)
{
	int seen = 0;

	check_here();
#pragma omp parallel num_threads(3)
	check_here();
#pragma omp target teams num_teams(10) thread_limit(4) map(tofrom : seen)
	{
		CHECK_EQUAL(teams(0), 10);
		CHECK_EQUAL(team(0), seen);
		CHECK_EQUAL(limit(0), 4);
		seen++;
#pragma omp parallel num_threads(4)
		check_here();
	}
	CHECK_EQUAL(seen, 10);
#pragma omp teams num_teams(3)
	check_here();
}

static void test_support(void)
{
	int (*in_team)(int, int) = find("omp_get_supported_active_team_dims");
	int (*in_league)(int, int) = find("omp_get_supported_active_league_dims");
	int (*in_team_)(const int32_t *, const int32_t *) =
	    find("omp_get_supported_active_team_dims_");
	int (*in_league_)(const int32_t *, const int32_t *) =
	    find("omp_get_supported_active_league_dims_");
	int (*most_threads)(int, int) = find("omp_get_supported_threads_dim");
	int (*most_teams)(int, int) = find("omp_get_supported_teams_dim");

	for (int device = -8; device <= 3; device++) {
		bool is_host = device == 0 || device == -1 || device == -5;
		for (int native = 0; native <= 1; native++) {
			CHECK_EQUAL(in_team(device, native), 1);
			CHECK_EQUAL(in_league(device, native), 1);
			CHECK_EQUAL(in_team_(&device, &native), 1);
			CHECK_EQUAL(in_league_(&device, &native), 1);
		}
		if (device == -4) /* omp_invalid_device: ends the program */
			continue;
		CHECK_EQUAL(most_threads(device, 0), is_host ? omp_get_thread_limit() : -1);
		CHECK_EQUAL(most_teams(device, 0), is_host ? INT_MAX : -1);
		for (int i = 1; i <= DIMENSIONS; i++) {
			CHECK_EQUAL(most_threads(device, i), is_host ? 1 : -1);
			CHECK_EQUAL(most_teams(device, i), is_host ? 1 : -1);
		}
	}
}

int main(void)
{
	threads = find("omp_get_num_threads_dim");
	thread = find("omp_get_thread_num_dim");
	limit = find("omp_get_thread_limit_dim");
	teams = find("omp_get_num_teams_dim");
	team = find("omp_get_team_num_dim");
	test_regions();
	test_support();
	return check_result();
}
