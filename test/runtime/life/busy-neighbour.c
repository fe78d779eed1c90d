/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * More threads than processors beside programs that are always busy: to yield gives such a program a
 * slice of some milliseconds, so a runtime that yields at each barrier stands still. The bound is
 * far above what the barriers take otherwise.
 */
#include <omp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "check.h"

enum { BARRIERS = 2000, MOST_SECONDS = 2 };

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

int main(void)
{
	enum { MOST_NEIGHBOURS = 64 };
	pid_t neighbours[MOST_NEIGHBOURS];
	int processors = omp_get_num_procs();
	int count = processors < MOST_NEIGHBOURS ? processors : MOST_NEIGHBOURS;
	double begun, seconds;

	for (int i = 0; i < count; i++)
		neighbours[i] = start_neighbour();
	begun = check_clock();
#pragma omp parallel num_threads(2 * processors)
	for (int i = 0; i < BARRIERS; i++) {
#pragma omp barrier
	}
	seconds = check_clock() - begun;
	for (int i = 0; i < count; i++) {
		kill(neighbours[i], SIGKILL);
		waitpid(neighbours[i], NULL, 0);
	}
	if (!CHECK(seconds < MOST_SECONDS))
		fprintf(stderr, "%d barriers took %.1f s\n", BARRIERS, seconds);
	return check_result();
}
