/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program for debuggers: when stop_here() is called, thread 0 holds a lock and a named critical,
 * for which threads 1 and 2 wait, and executes a task in an inner region, whose other thread is at
 * a barrier. It prints what OpenMP itself says of that place. Given an argument, it stays there.
 */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

#include "let-others.h"

static omp_lock_t guard;
static volatile int stays;

static void __attribute__((noinline)) stop_here(void)
{
	printf("level %d, team of %d, thread %d, final %d\n", omp_get_level(),
	    omp_get_num_threads(), omp_get_thread_num(), omp_in_final());
	fflush(stdout);
	while (stays)
		pause();
}

static void inner(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
#pragma omp task final(1) if (0)
			{
				let_others();
				stop_here();
			}
		}
#pragma omp barrier
	}
}

int main(int count, char **arguments)
{
	int taken = 0;

	(void)arguments;
	stays = count > 1;
	omp_init_lock(&guard);
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3) shared(taken)
	{
		int seen = 0;
		if (omp_get_thread_num() == 0) {
			omp_set_lock(&guard);
#pragma omp critical(door)
			{
#pragma omp atomic write
				taken = 1;
				inner();
			}
			omp_unset_lock(&guard);
		}
		while (!seen) {
#pragma omp atomic read
			seen = taken;
		}
		if (omp_get_thread_num() == 1) {
			omp_set_lock(&guard);
			omp_unset_lock(&guard);
		} else if (omp_get_thread_num() == 2) {
#pragma omp critical(door)
			usleep(1);
		}
	}
	return 0;
}
