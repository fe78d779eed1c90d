/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A forked child has one thread and may use OpenMP like a fresh process, whatever its parent had
 * running; the parent continues with its own team. Children of children too, also forked from
 * inside of a region, where the child is alone.
 */
#include <omp.h>
#include <sys/wait.h>

#include "check.h"

static int run_region(int threads)
{
	int arrived = 0;
	int tasks = 0;

#pragma omp parallel num_threads(threads)
	{
		count(&arrived);
#pragma omp barrier
#pragma omp single
		for (int i = 0; i < 20; i++) {
#pragma omp task
			count(&tasks);
		}
	}
	return arrived == threads && tasks == 20;
}

static void check_child(pid_t child)
{
	int status = -1;

	if (!CHECK(child > 0))
		return;
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status));
	CHECK_EQUAL(WEXITSTATUS(status), 0);
}

static int live(int generations)
{
	int threads = omp_get_max_threads();
	pid_t child;

	check_alarm(20); /* a child that hangs dies by it, and the parent sees how */
	if (!run_region(threads) || !run_region(threads + 2))
		return 1;
	if (generations == 0)
		return check_result();
	child = fork();
	if (child == 0)
		_exit(live(generations - 1));
	if (!run_region(threads))
		return 1;
	check_child(child);
	return check_result();
}

/* exit() in the child runs the library's destructor over a pool that is not there. */
static void child_exits_normally(void)
{
	pid_t child = fork();

	if (child == 0) {
		check_alarm(20);
		exit(run_region(3) ? 0 : 1);
	}
	check_child(child);
	child = fork();
	if (child == 0)
		exit(0);
	check_child(child);
}

static void fork_inside_of_a_region(void)
{
	int arrived = 0;

#pragma omp parallel num_threads(3)
	{
#pragma omp single
		{
			pid_t child = fork();

			if (child == 0) {
				check_alarm(20);
				_exit(omp_get_level() == 1 ? 0 : 2);
			}
			check_child(child);
		}
		count(&arrived);
	}
	CHECK_EQUAL(arrived, 3);
}

int main(void)
{
	omp_set_dynamic(0);
	CHECK_EQUAL(live(3), 0);
	for (int i = 0; i < 5; i++) {
		child_exits_normally();
		fork_inside_of_a_region();
		CHECK(run_region(4));
	}
	return check_result();
}
