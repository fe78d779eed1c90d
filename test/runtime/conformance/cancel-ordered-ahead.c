/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel parallel reaches threads that sleep far ahead of the one that cancels: they have passed
 * more work-sharing constructs than the runtime keeps slots for, and wait for their turn in an
 * ordered loop or a doacross loop that the other never begins. OpenMP 5.1, 2.20.1.
 */
#include <omp.h>
#include <sys/syscall.h>

#include "check.h"

#define LOOPS_AHEAD 40

static pid_t ids[64];

/* The state letter of a thread of this process, '?' where it cannot be read. */
static char thread_state(pid_t id)
{
	char path[64], line[256], state = '?';

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)id);
	FILE *file = fopen(path, "re");
	if (file && fgets(line, sizeof(line), file) && strrchr(line, ')'))
		state = strrchr(line, ')')[2];
	if (file)
		fclose(file);
	return state;
}

static bool all_asleep(int threads)
{
	for (int i = 1; i < threads; i++) {
		pid_t id = __atomic_load_n(&ids[i], __ATOMIC_ACQUIRE);
		if (id == 0 || thread_state(id) != 'S')
			return false;
	}
	return true;
}

/* A thread that sleeps for another reason on its way is seen awake again soon: look a few times. */
static void await_sleepers(int threads)
{
	double deadline = check_deadline(10);

	for (int seen = 0; seen < 20 && keep_waiting(deadline); sched_yield())
		seen = all_asleep(threads) ? seen + 1 : 0;
}

static void announce(void)
{
	__atomic_store_n(&ids[omp_get_thread_num()], (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
}

/* All except the first complete LOOPS_AHEAD loops before they begin to wait. */
static void run_ahead(int threads)
{
	int done = 0;

	for (int i = 0; i < LOOPS_AHEAD; i++) {
#pragma omp for schedule(dynamic) nowait
		for (int j = 0; j < threads; j++)
			count(&done);
	}
	announce();
}

static void in_ordered_loops(int threads)
{
	int after = 0;

	memset(ids, 0, sizeof(ids));
#pragma omp parallel num_threads(threads)
	{
		if (omp_get_thread_num() == 0) {
			await_sleepers(threads);
#pragma omp cancel parallel
			count(&after);
		}
		run_ahead(threads);
#pragma omp for schedule(static, 1) ordered nowait
		for (int i = 0; i < threads; i++) {
#pragma omp ordered
			dawdle(1);
		}
#pragma omp cancellation point parallel
		count(&after);
	}
	CHECK_EQUAL(after, 0);
}

static void in_doacross_loops(int threads)
{
	int after = 0;

	memset(ids, 0, sizeof(ids));
#pragma omp parallel num_threads(threads)
	{
		if (omp_get_thread_num() == 0) {
			await_sleepers(threads);
#pragma omp cancel parallel
			count(&after);
		}
		run_ahead(threads);
#pragma omp for schedule(static, 1) ordered(1) nowait
		for (int i = 0; i < threads; i++) {
#pragma omp ordered depend(sink : i - 1)
			dawdle(1);
#pragma omp ordered depend(source)
		}
#pragma omp cancellation point parallel
		count(&after);
	}
	CHECK_EQUAL(after, 0);
}

int main(int argc, char **argv)
{
	(void)argc;
	check_needs_environment(argv, "OMP_CANCELLATION", "true");
	for (int threads = 2; threads <= 5; threads++) {
		in_ordered_loops(threads);
		in_doacross_loops(threads);
	}
	return check_result();
}
