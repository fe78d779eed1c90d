/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fixed amount of work, cut in one of several ways: neighbours KIND AMOUNT. Prints the seconds
 * that it took, without those of a first region. AMOUNT 1 is about 0.1 s of processor time.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

enum { TURNS = 400 }; /* about 0.4 us */

/* Regions of 100 us in all, each with a share for every thread. */
static void regions(int amount)
{
	for (int i = 0; i < 1000 * amount; i++) {
#pragma omp parallel for schedule(static)
		for (int j = 0; j < 240; j++)
			work(TURNS);
	}
}

/* The same between barriers of one region. */
static void barriers(int amount)
{
#pragma omp parallel
	for (int i = 0; i < 1000 * amount; i++) {
#pragma omp for schedule(static)
		for (int j = 0; j < 240; j++)
			work(TURNS);
	}
}

static void split(int leaves)
{
	if (leaves == 1) {
		work(10 * TURNS);
		return;
	}
#pragma omp task
	split(leaves / 2);
	split(leaves - leaves / 2);
#pragma omp taskwait
}

static void tasks(int amount)
{
#pragma omp parallel
#pragma omp single
	split(24000 * amount);
}

static void loops(int amount)
{
	for (int i = 0; i < 10 * amount; i++) {
#pragma omp parallel for schedule(dynamic)
		for (int j = 0; j < 24000; j++)
			work(TURNS);
	}
}

/* A tenth of the work is done under a lock. */
static void locks(int amount)
{
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 24000 * amount; i++) {
		work(9 * TURNS);
		omp_set_lock(&lock);
		work(TURNS);
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
}

static const struct {
	const char *name;
	void (*run)(int amount);
} kinds[] = {{"regions", regions}, {"barriers", barriers}, {"tasks", tasks}, {"loops", loops},
    {"locks", locks}};

int main(int count, char **words)
{
	int amount = count == 3 ? atoi(words[2]) : 0;

	for (size_t i = 0; count == 3 && amount > 0 && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(words[1], kinds[i].name) == 0) {
#pragma omp parallel
			work(1);
			double begin = omp_get_wtime();
			kinds[i].run(amount);
			printf("%.6f\n", omp_get_wtime() - begin);
			return 0;
		}
	}
	fprintf(stderr, "usage: neighbours regions|barriers|tasks|loops|locks AMOUNT, found '%s'\n",
	    count > 1 ? words[1] : "");
	return 2;
}
