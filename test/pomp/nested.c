/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nested teams, OpenMP masters made by pthread_create, and teams whose size changes all the time.
 * argv[1] is nested, roots or changing.
 */
#include "regions.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { OUTER, INNER, LOOP, COUNT };

OMPRegDescr regions[COUNT] = {
    [OUTER] = REGION("parallel", "", 10),
    [INNER] = REGION("parallel", "", 20),
    [LOOP] = REGION("for", "", 30),
};
const int region_count = COUNT;

enum { ROUNDS = 4, ROOTS = 3 };

static void loop(void)
{
	pomp_for_enter(&regions[LOOP]);
#pragma omp for nowait
	for (int i = 0; i < 100; i++)
		__asm__ volatile("" ::: "memory");
	pomp_barrier_enter(&regions[LOOP]);
#pragma omp barrier
	pomp_barrier_exit(&regions[LOOP]);
	pomp_for_exit(&regions[LOOP]);
}

static void team(OMPRegDescr *region, int threads, void (*body)(void))
{
	uint64_t fork = pomp_parallel_fork(region);
#pragma omp parallel num_threads(threads)
	{
		pomp_parallel_begin(region, fork);
		body();
		pomp_barrier_enter(region);
#pragma omp barrier
		pomp_barrier_exit(region);
		pomp_parallel_end(region);
	}
	pomp_parallel_join(region, fork);
}

/* Both inner teams are there at once: one after the other, they might be made of the same threads.
 */
static void loop_beside(void)
{
	static atomic_int begun;

	if (omp_get_thread_num() == 0) {
		int before = atomic_fetch_add(&begun, 1);
		while (atomic_load(&begun) < (before | 1) + 1)
			sched_yield();
	}
	loop();
}

static void inner(void)
{
	team(&regions[INNER], 3, loop_beside);
}

static void *root(void *unused)
{
	(void)unused;
	for (int round = 0; round < ROUNDS; round++)
		team(&regions[OUTER], 2, loop);
	return NULL;
}

/* Two threads, each the master of three: six threads in all, if the runtime keeps its pools. */
static void nested(void)
{
	omp_set_max_active_levels(2);
	for (int round = 0; round < ROUNDS; round++) {
		team(&regions[OUTER], 2, inner);
		usleep(3000); /* let threads end that the runtime has no more use for */
	}
	pomp_finalize();
	expect(&regions[OUTER], 2 * ROUNDS);
	expect(&regions[INNER], 6 * ROUNDS);
	expect(&regions[LOOP], 6 * ROUNDS);
	print_expected("threads 3");
	print_expected("locations_from_to 6 12"); /* see changing() */
	print_expected(
	    "teams [2, 3]"); /* which thread of the pool is in which team is the runtime's choice */
	print_expected("nested 1");
	print_expected("location Master thread");
	print_expected("location OMP thread 1");
	print_expected("location OMP thread 0:1");
	print_expected("location OMP thread 1:2");
}

static void roots(void)
{
	pthread_t thread[ROOTS];

	for (int i = 0; i < ROOTS; i++)
		pthread_create(&thread[i], NULL, root, NULL);
	for (int i = 0; i < ROOTS; i++)
		pthread_join(thread[i], NULL);
	pomp_finalize();
	expect(&regions[OUTER], 2 * ROUNDS * ROOTS);
	expect(&regions[LOOP], 2 * ROUNDS * ROOTS);
	print_expected("threads 2");
}

/* A runtime may end the threads of a team that shrinks: they stay the same OpenMP threads. */
static void changing(void)
{
	uint64_t visits = 0;

	for (int round = 0; round < 5 * ROUNDS; round++) {
		int threads = 1 + (round * 3) % 5;
		team(&regions[OUTER], threads, loop);
		visits += (uint64_t)threads;
		usleep(3000); /* let threads end that the runtime has no more use for */
	}
	pomp_finalize();
	expect(&regions[OUTER], visits);
	expect(&regions[LOOP], visits);
	print_expected("threads 5");
	/* A thread that still is not gone when its place is taken again keeps its location. */
	print_expected("locations_from_to 5 12");
	print_expected("teams [1, 2, 3, 4, 5]");
	print_expected("nested 0");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "nested";

	omp_set_dynamic(0);
	if (strcmp(what, "nested") == 0)
		nested();
	else if (strcmp(what, "roots") == 0)
		roots();
	else
		changing();
	return result();
}
