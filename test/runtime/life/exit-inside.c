/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exit() called inside a parallel region, by the master or another thread, in a critical region, a
 * task or a nested team, ends the process at once with the given status: its handlers run, and the
 * runtime's destructor waits for no thread that cannot come.
 */
#include <omp.h>
#include <sys/wait.h>

#include "check.h"

#define STATUS 42

static void by_number(int number)
{
#pragma omp parallel num_threads(4)
	{
		if (omp_get_thread_num() == number)
			exit(STATUS);
#pragma omp barrier
	}
}

static void in_critical(void)
{
#pragma omp parallel num_threads(4)
	{
#pragma omp critical
		exit(STATUS);
	}
}

static void in_task(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task
		if (i == 10)
			exit(STATUS);
	}
}

static void in_nested_team(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	{
		if (omp_get_ancestor_thread_num(1) == 1 && omp_get_thread_num() == 1)
			exit(STATUS);
#pragma omp barrier
	}
}

static void after_regions(void)
{
	int arrived = 0;

#pragma omp parallel num_threads(4)
	count(&arrived);
	exit(arrived == 4 ? STATUS : 1);
}

static void (*const ways[])(void) = {in_critical, in_task, in_nested_team, after_regions};

static void check_way(int way)
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		check_alarm(20);
		if (way < 4)
			by_number(way);
		else
			ways[way - 4]();
		_exit(3); /* came back */
	}
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	if (!CHECK(WIFEXITED(status)) || !CHECK_EQUAL(WEXITSTATUS(status), STATUS))
		fprintf(stderr, "way %d: wait status %#x\n", way, (unsigned)status);
}

int main(void)
{
	omp_set_dynamic(0);
	for (int round = 0; round < 5; round++)
		for (int way = 0; way < 8; way++)
			check_way(way);
	return check_result();
}
