/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams on the host: a league of num_teams initial teams, each with its number, its own contention
 * group and thread limit; parallel regions and distribute inside. OpenMP 5.1, 2.7 and 2.11.6.
 */
#include <omp.h>

#include "check.h"

#define LENGTH 100
#ifdef __clang__ /* clang 19 lacks the lower bound */
#define TWO_TO_FOUR 4
#else
#define TWO_TO_FOUR 2 : 4
#endif

static void league(int teams)
{
	int times[16] = {0};

#pragma omp teams num_teams(teams) shared(times)
	{
		int number = omp_get_team_num();

		CHECK_EQUAL(omp_get_num_teams(), teams);
		if (CHECK(number >= 0 && number < teams))
			count(&times[number]);
	}
	CHECK_ALL(times, teams, 1);
	CHECK_EQUAL(omp_get_num_teams(), 1);
	CHECK_EQUAL(omp_get_team_num(), 0);
}

static void parallel_inside(void)
{
	int members[4] = {0};

#pragma omp teams num_teams(4) thread_limit(3) shared(members)
	{
#pragma omp parallel num_threads(3)
		{
			CHECK_EQUAL(omp_get_thread_limit(), 3);
			CHECK_EQUAL(omp_get_ancestor_thread_num(0), 0);
			CHECK_EQUAL(omp_get_team_size(0), 1);
			CHECK_EQUAL(omp_get_num_threads(), 3);
			CHECK_EQUAL(omp_get_level(), 1);
			CHECK_EQUAL(omp_get_num_teams(), 4);
			count(&members[omp_get_team_num()]);
#pragma omp barrier
		}
#pragma omp parallel num_threads(8)
		CHECK(omp_get_num_threads() <= 3);
	}
	CHECK_ALL(members, 4, 3);
}

static void distribute(void)
{
	int times[LENGTH] = {0};
	int team_of[LENGTH];
	int last = -1;

#pragma omp teams num_teams(3)
#pragma omp distribute dist_schedule(static, 7) lastprivate(last)
	for (int i = 0; i < LENGTH; i++) {
		count(&times[i]);
		team_of[i] = omp_get_team_num();
		last = i;
	}
	CHECK_ALL(times, LENGTH, 1);
	for (int i = 0; i < LENGTH; i++)
		CHECK_EQUAL(team_of[i], i / 7 % 3);
	CHECK_EQUAL(last, LENGTH - 1);
#pragma omp teams distribute parallel for num_teams(2) thread_limit(4) collapse(2)
	for (int i = 0; i < 10; i++)
		for (int j = 0; j < LENGTH / 10; j++)
			count(&times[i * 10 + j]);
	CHECK_ALL(times, LENGTH, 2);
#pragma omp teams distribute parallel for simd schedule(dynamic, 3)
	for (int i = 0; i < LENGTH; i++)
		times[i]++;
	CHECK_ALL(times, LENGTH, 3);
#pragma omp teams loop
	for (int i = 0; i < LENGTH; i++)
		times[i]++;
	CHECK_ALL(times, LENGTH, 4);
}

static void reductions(void)
{
	long sum = 5;
	int teams = 0;

#pragma omp teams num_teams(3) reduction(+ : teams)
	teams += 1;
	CHECK_EQUAL(teams, 3);
#pragma omp teams distribute parallel for reduction(+ : sum) num_teams(3)
	for (int i = 0; i < LENGTH; i++)
		sum += i;
	CHECK_EQUAL(sum, 5 + LENGTH * (LENGTH - 1) / 2);
}

/* What GNU's runtime does where the specification leaves it open; programs print it. */
static void without_a_number(void)
{
#ifndef __clang__
	int teams = 0, of_target = 0;

#pragma omp teams reduction(+ : teams)
	{
		CHECK_EQUAL(omp_get_num_teams(), 3);
		teams++;
	}
	CHECK_EQUAL(teams, 3);
	omp_set_num_teams(5);
#pragma omp target teams map(tofrom : of_target) reduction(+ : of_target)
	{
		CHECK_EQUAL(omp_get_num_teams(), 1);
		of_target++;
	}
	CHECK_EQUAL(of_target, 1);
	omp_set_num_teams(0);
#endif
}

static void icvs(void)
{
	omp_set_num_teams(5);
	CHECK_EQUAL(omp_get_max_teams(), 5);
	int teams = 0;
#pragma omp teams reduction(+ : teams)
	{
		CHECK(omp_get_num_teams() >= 1 && omp_get_num_teams() <= 5);
		teams++;
	}
	CHECK(teams >= 1 && teams <= 5);
	teams = 0;
#pragma omp teams num_teams(TWO_TO_FOUR) reduction(+ : teams)
	{
		CHECK(omp_get_num_teams() >= 2 && omp_get_num_teams() <= 4);
		teams++;
	}
	CHECK(teams >= 2 && teams <= 4);
	omp_set_teams_thread_limit(2);
	CHECK_EQUAL(omp_get_teams_thread_limit(), 2);
#pragma omp teams num_teams(1)
#pragma omp parallel
	CHECK_EQUAL(omp_get_thread_limit(), 2);
	omp_set_teams_thread_limit(0);
	omp_set_num_teams(0);
}

/* What a team sets stays in that team. */
static void teams_have_their_own_icvs(void)
{
	int threads = omp_get_max_threads();

#pragma omp teams num_teams(3)
#pragma omp parallel num_threads(2)
	{
		int mine = 2 + omp_get_team_num() * 2 + omp_get_thread_num();

		CHECK_EQUAL(omp_get_max_threads(), threads);
		omp_set_num_threads(mine);
#pragma omp barrier
		CHECK_EQUAL(omp_get_max_threads(), mine);
	}
	CHECK_EQUAL(omp_get_max_threads(), threads);
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
		for (int teams = 1; teams <= 5; teams++)
			league(teams);
		parallel_inside();
		distribute();
		reductions();
		teams_have_their_own_icvs();
	}
	without_a_number();
	icvs();
	return check_result();
}
