/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * More threads than processors beside programs that are always busy: to yield gives such a program
 * a slice of some milliseconds, so a runtime that yields at each barrier stands still. Time here
 * depends on what else the machine does, so the barriers are held against some made in the same
 * minute by threads that do yield; where these are quick, too (a scheduler that gives them nothing
 * for it), a time that is far above what the barriers take otherwise is the bound. Of a few tries
 * one must be quick, because others may take the processors meanwhile; a runtime that yields is
 * slow in each of them.
 */
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "check.h"

enum { BARRIERS = 2000, YIELDING_BARRIERS = 50 };
static const double most_seconds = 1e-3; /* of one barrier */

static pid_t start_neighbour(void)
{
	pid_t child = fork();

	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			;
	}
	CHECK(child > 0);
	return child;
}

/* Seconds of one of the runtime's barriers. */
static double time_barriers(int threads)
{
	double begun = check_clock();

#pragma omp parallel num_threads(threads)
	for (int i = 0; i < BARRIERS; i++) {
#pragma omp barrier
	}
	return (check_clock() - begun) / BARRIERS;
}

/* Seconds of one barrier whose threads yield until all are there. */
static double time_yielding(int threads)
{
	double begun = check_clock();
	int arrived = 0;

#pragma omp parallel num_threads(threads)
	for (int i = 1; i <= YIELDING_BARRIERS; i++) {
		/* Release: what a thread did before is done; acquire: for whom sees it arrive. */
		__atomic_fetch_add(&arrived, 1, __ATOMIC_RELEASE);
		while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < i * threads)
			sched_yield();
	}
	return (check_clock() - begun) / YIELDING_BARRIERS;
}

int main(void)
{
	enum { MOST_NEIGHBOURS = 64, MOST_TRIES = 3 };
	pid_t neighbours[MOST_NEIGHBOURS];
	int processors = omp_get_num_procs();
	int count = processors < MOST_NEIGHBOURS ? processors : MOST_NEIGHBOURS;
	double ours = 0, yielding = 0;
	bool is_quick = false;

	for (int i = 0; i < count; i++)
		neighbours[i] = start_neighbour();
	for (int try = 0; try < MOST_TRIES && !is_quick; try++) {
		ours = time_barriers(2 * processors);
		yielding = time_yielding(2 * processors);
		is_quick = ours < most_seconds || ours < yielding / 8;
	}
	for (int i = 0; i < count; i++) {
		kill(neighbours[i], SIGKILL);
		waitpid(neighbours[i], NULL, 0);
	}
	if (!CHECK(is_quick))
		fprintf(stderr, "a barrier took %.3f ms, one whose threads yield %.3f ms\n",
		    1e3 * ours, 1e3 * yielding);
	return check_result();
}
