/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What orders tasks and teams where one thread executes all of them: the task graph alone. Each
 * case has a form in which a construct orders two accesses of `shared_value` and one in which
 * nothing does: strands CASE ordered|free.
 */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shared_value, one, two;
static bool is_ordered;

static void siblings(void)
{
#pragma omp task
	shared_value = 1;
	if (is_ordered) {
#pragma omp taskwait
	}
#pragma omp task
	shared_value = 2;
}

static void parent(void)
{
#pragma omp task
	shared_value = 1;
	if (is_ordered) {
#pragma omp taskwait
	}
	shared_value = 2;
}

/* taskwait is for children, taskgroup for descendants, too. */
static void grandchild(void)
{
	if (is_ordered) {
#pragma omp taskgroup
		{
#pragma omp task
#pragma omp task
			shared_value = 1;
		}
	} else {
#pragma omp task
#pragma omp task
		shared_value = 1;
#pragma omp taskwait
	}
	shared_value = 2;
}

static void undeferred(void)
{
#pragma omp task if (!is_ordered)
	shared_value = 1;
	shared_value = 2;
}

/* A record that is used again says nothing about its last user. */
static void reused(void)
{
	for (int i = 0; i < 40; i++) {
#pragma omp task
		one++;
#pragma omp taskwait
	}
	siblings();
}

static void depend(void)
{
#pragma omp task depend(out : one)
	shared_value = 1;
	if (is_ordered) {
#pragma omp task depend(in : one)
		shared_value = 2;
	} else {
#pragma omp task depend(in : two)
		shared_value = 2;
	}
}

/* Readers that are completed when the writer comes still precede it. */
static void readers(void)
{
	int sums[20];

	for (int i = 0; i < 20; i++) {
#pragma omp task depend(in : one) shared(sums)
		sums[i] = shared_value;
	}
	if (is_ordered) {
#pragma omp task depend(out : one)
		shared_value = 2;
	} else {
#pragma omp task depend(in : one)
		shared_value = 2;
	}
#pragma omp taskwait
	two = sums[3];
}

static void wait_depend(void)
{
#pragma omp task depend(out : one)
	shared_value = 1;
#pragma omp task depend(out : two)
	two = 1;
	if (is_ordered) {
#pragma omp taskwait depend(in : one)
	} else {
#pragma omp taskwait depend(in : two)
	}
	shared_value = 2;
}

static void taskloop(void)
{
	int values[64];

#pragma omp taskloop num_tasks(8)
	for (int i = 0; i < 64; i++)
		*(is_ordered ? &values[i] : &shared_value) = i;
	two = is_ordered ? values[5] : 0;
}

static void loop_nogroup(void)
{
	if (is_ordered) {
#pragma omp taskloop num_tasks(2)
		for (int i = 0; i < 2; i++)
			*(i == 0 ? &shared_value : &one) = i;
	} else {
#pragma omp taskloop num_tasks(2) nogroup
		for (int i = 0; i < 2; i++)
			*(i == 0 ? &shared_value : &one) = i;
	}
	shared_value = 2;
}

static void detached(void)
{
	omp_event_handle_t event;

#pragma omp task detach(event)
	one = 1;
#pragma omp task
	{
		shared_value = 1;
		omp_fulfill_event(event);
	}
	if (is_ordered) {
#pragma omp taskwait
	}
	shared_value = 2;
}

static void league(void)
{
#pragma omp teams num_teams(2)
	if (!is_ordered || omp_get_team_num() == 1)
		shared_value = 1;
	shared_value = 2;
}

static void target_league(void)
{
#pragma omp target teams num_teams(3) map(tofrom : shared_value)
	if (!is_ordered || omp_get_team_num() == 1)
		shared_value = 1;
}

/* Each task has a copy on the stack that its strand has. */
static void target_nowait(void)
{
#pragma omp target nowait map(tofrom : shared_value) depend(out : one)
	shared_value = 1;
	if (is_ordered) {
#pragma omp taskwait
	}
	shared_value = 2;
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {{"siblings", siblings}, {"parent", parent}, {"grandchild", grandchild},
    {"undeferred", undeferred}, {"reused", reused}, {"depend", depend}, {"readers", readers},
    {"wait-depend", wait_depend}, {"taskloop", taskloop}, {"loop-nogroup", loop_nogroup},
    {"detached", detached}, {"league", league}, {"target-league", target_league},
    {"target-nowait", target_nowait}};

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "list") == 0) {
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
			puts(cases[i].name);
		return 0;
	}
	if (argc != 3)
		return 2;
	is_ordered = strcmp(argv[2], "ordered") == 0;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (strcmp(cases[i].name, argv[1]) != 0)
			continue;
		if (strstr(argv[1], "league") != NULL) { /* teams stand in no parallel region */
			cases[i].run();
			return 0;
		}
#pragma omp parallel num_threads(1)
		cases[i].run();
		return 0;
	}
	return 2;
}
