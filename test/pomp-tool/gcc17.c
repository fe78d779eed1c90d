/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program as GCC 17 compiles it with -fopenmp ("loops") and -fopenmp-ompt ("blocks"), measured by
 * libpomp_tool.so. It prints what each construct must have, as plain.c does.
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "gcc17.h"

enum { THREADS = 3, ROUNDS = 10, LENGTH = 9 };

static double inside, outside; /* of the loops, in seconds, over all threads */

static void work(int microseconds)
{
	double end = omp_get_wtime() + microseconds * 1e-6;

	while (omp_get_wtime() < end)
		;
}

static void expect(const char *construct, long visits)
{
	printf("expect %s visits %ld\n", construct, visits);
}

static void add(double *sum, double seconds)
{
#pragma omp critical(sums)
	*sum += seconds;
}

/* Loops with their barrier, one without that an explicit barrier ends, and sums. */
static void loops(void)
{
	long sum = 0, squares = 0;

	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(THREADS)
		{
			long own = 0;
			double before = omp_get_wtime(), begun, ended;
			GCC17_LOOP(GCC17_NONE, LENGTH, 0, i, {
				begun = omp_get_wtime();
				work(100 * (int)i);
				own += (long)i;
				ended = omp_get_wtime();
				add(&inside, ended - begun);
			});
			GOMP_barrier_ext(GCC17_OF_WORKSHARE);
			add(&outside, omp_get_wtime() - before);
			GCC17_REDUCTION({
				sum += own;
				squares += own * own;
			});
			GOMP_barrier_ext(GCC17_EXPLICIT);
		}
	}
	expect("parallel", ROUNDS * THREADS);
	expect("for", ROUNDS * THREADS);
	expect("barrier", ROUNDS * THREADS);
	expect("reduction", ROUNDS * THREADS);
	printf("expect for time %.0f %.0f\n", inside * 1e9, outside * 1e9);
}

static void blocks(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int round = 0; round < ROUNDS; round++) {
		GCC17_SINGLE(GCC17_BASIC, true, work(10));
		GCC17_SINGLE(GCC17_BASIC, false, work(10));
		GCC17_MASKED(GCC17_BASIC, 1, work(10));
		GCC17_SCOPE(GCC17_BASIC, true, {
			GCC17_LOOP(GCC17_BASIC, LENGTH, 1, i, work(10));
			GOMP_barrier_ext(GCC17_EXPLICIT);
		});
		GCC17_LOOP(GCC17_EXTENDED, LENGTH, 0, i, work(10));
		GOMP_barrier_ext(GCC17_OF_WORKSHARE);
	}
#pragma omp teams num_teams(2)
	GCC17_DISTRIBUTE(GCC17_BASIC, LENGTH, 0, i, work(10));
	expect("parallel", THREADS);
	expect("single", 2 * ROUNDS * THREADS);
	expect("master", ROUNDS);
	expect("scope", ROUNDS * THREADS);
	expect("for", 2 * ROUNDS * THREADS);
	expect("barrier", ROUNDS * THREADS);
	expect("distribute", 2);
	expect("teams", 1);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "loops") == 0)
		loops();
	else
		blocks();
	return 0;
}
