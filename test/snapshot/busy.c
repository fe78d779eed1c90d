/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions, a critical, a lock, tasks: busy.c THREADS [MODE]. Each number on standard input is a
 * number of rounds, after which it says "done"; without input it ends. While it waits for input, no
 * construct is open. "stays": it waits inside its parallel region instead, once. "forever": it
 * works until it is killed. "closes" and "roots": it first closes all other descriptors, or changes
 * its root.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static omp_lock_t guard;
static long sum;

static void work(int threads)
{
#pragma omp parallel num_threads(threads)
	{
#pragma omp for
		for (int i = 0; i < 64; i++)
			for (volatile int j = 0; j < 20; j++)
				;
#pragma omp critical(adds)
		sum++;
		omp_set_lock(&guard);
		sum++;
		omp_unset_lock(&guard);
#pragma omp single
		for (int i = 0; i < 4; i++) {
#pragma omp task
			sum += 0;
		}
	}
}

static void stay(int threads)
{
	char byte;

#pragma omp parallel num_threads(threads)
	{
#pragma omp master
		{
			printf("inside\n");
			fflush(stdout);
			if (read(0, &byte, 1) < 0)
				abort();
		}
	}
}

/* A thread of a team that ends: its sums move to the regions. */
static void other_team(int threads)
{
#pragma omp parallel num_threads(threads)
	{
#pragma omp barrier
	}
}

int main(int count, char **arguments)
{
	int threads = count > 1 ? atoi(arguments[1]) : 2;
	long rounds;

	omp_init_lock(&guard);
	for (int file = 2; count > 2 && strcmp(arguments[2], "closes") == 0 && file < 1024; file++)
		close(file);
	if (count > 2 && strcmp(arguments[2], "roots") == 0 &&
	    (chroot("/proc") != 0 || chdir("/") != 0))
		return 1;
	if (count > 2 && strcmp(arguments[2], "stays") == 0)
		stay(threads);
	do {
		work(threads);
	} while (count > 2 && strcmp(arguments[2], "forever") == 0);
	printf("ready\n");
	fflush(stdout);
	while (scanf("%ld", &rounds) == 1) {
		for (long i = 0; i < rounds; i++) {
			work(threads);
			if (i % 64 == 0)
				other_team(threads + 1 + (int)(i / 64 % 2));
		}
		printf("done\n");
		fflush(stdout);
	}
	return sum < 0;
}
