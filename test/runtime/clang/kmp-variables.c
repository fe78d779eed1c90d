/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variables that begin with KMP_, in a program of clang: each case is a process of its own,
 * which begins with them and asks what holds.
 */
#include <omp.h>
#include <stdint.h>
#include <sys/wait.h>

#include "check.h"

static int team_of(int threads)
{
	int size = 0;

#pragma omp parallel num_threads(threads)
	if (omp_get_thread_num() == 0)
		size = omp_get_num_threads();
	return size;
}

static int block_time(void)
{
	return kmp_get_blocktime();
}

static int stack_kilobytes(void)
{
	return (int)(kmp_get_stacksize_s() >> 10);
}

static int team_of_four(void)
{
	return team_of(4);
}

static int library(void)
{
	return kmp_get_library();
}

static int binding(void)
{
	return omp_get_proc_bind();
}

static int places(void)
{
	return omp_get_num_places();
}

static int processors(void)
{
	return omp_get_num_procs();
}

static int teams_limit(void)
{
	return omp_get_teams_thread_limit();
}

/* Assignments with blanks between them, the query, and the answer; -1: that of `processors`. */
static const struct {
	const char *assignments;
	int (*ask)(void);
	int answer;
} cases[] = {
    {"NONE=1", block_time, 200},
    {"KMP_BLOCKTIME=0", block_time, 0},
    {"KMP_BLOCKTIME=40ms", block_time, 40},
    {"KMP_BLOCKTIME=1500us", block_time, 2},
    {"KMP_BLOCKTIME=infinite", block_time, INT32_MAX},
    {"KMP_BLOCKTIME=soon KMP_WARNINGS=0", block_time, 200},
    {"KMP_STACKSIZE=2m", stack_kilobytes, 2048},
    {"KMP_STACKSIZE=65536", stack_kilobytes, 64},
    {"KMP_STACKSIZE=1", stack_kilobytes, 16},
    {"KMP_STACKSIZE=2m OMP_STACKSIZE=3m", stack_kilobytes, 3072},
    {"KMP_ALL_THREADS=2", team_of_four, 2},
    {"KMP_DEVICE_THREAD_LIMIT=3", team_of_four, 3},
    {"KMP_DEVICE_THREAD_LIMIT=3 OMP_THREAD_LIMIT=2", team_of_four, 2},
    {"KMP_TEAMS_THREAD_LIMIT=3", teams_limit, 3},
    {"KMP_LIBRARY=serial", team_of_four, 1},
    {"KMP_LIBRARY=turnaround", library, 2},
    {"KMP_LIBRARY=turnaround", block_time, INT32_MAX},
    {"KMP_AFFINITY=compact", binding, omp_proc_bind_close},
    {"KMP_AFFINITY=granularity=fine,scatter", binding, omp_proc_bind_spread},
    {"KMP_AFFINITY=granularity=fine,compact,1,0", places, -1},
    {"KMP_AFFINITY=verbose,none", binding, omp_proc_bind_false},
    {"KMP_AFFINITY=disabled", places, 0},
    {"KMP_AFFINITY=scatter OMP_PROC_BIND=false", binding, omp_proc_bind_false},
    {"KMP_AFFINITY=explicit,proclist=[0],granularity=fine", places, 1},
    {"KMP_AFFINITY=sideways KMP_WARNINGS=off", binding, omp_proc_bind_false},
    {"KMP_HOT_TEAMS_MODE=1", block_time, 200},
};

static int ask(size_t number)
{
	int answer = cases[number].ask();
	int expected = cases[number].answer == -1 ? processors() : cases[number].answer;

	if (answer != expected)
		fprintf(stderr, "%s: expected %d, found %d\n", cases[number].assignments, expected,
		    answer);
	return answer != expected;
}

static void become(const char *number, char *assignments)
{
	unsetenv("OMP_NUM_THREADS");
	for (char *one = strtok(assignments, " "); one; one = strtok(NULL, " "))
		putenv(one);
	execl("/proc/self/exe", "kmp-variables", number, NULL);
	_exit(2);
}

int main(int count, char **arguments)
{
	if (count > 1)
		return ask((size_t)atoi(arguments[1]));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char number[20];
		int status = -1;
		pid_t child = fork();

		snprintf(number, sizeof(number), "%zu", i);
		if (child == 0)
			become(number, strdup(cases[i].assignments));
		CHECK(child > 0 && waitpid(child, &status, 0) == child);
		if (!CHECK_EQUAL(status, 0))
			fprintf(stderr, "  %s\n", cases[i].assignments);
	}
	return check_result();
}
