/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thousands of threads that live briefly, one after the other, among which one begins that lives
 * long. Prints the processor time of the long one in ms. Argument: "events" lets it have events
 * meanwhile.
 */
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BRIEF = 6000, LONG_FROM = 4000, WORK_MS = 800 };

static volatile double sink = 1;

static double own_ms(void)
{
	struct timespec now;

	EXPECT(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

__attribute__((noinline)) static void long_work(double ms)
{
	for (double until = own_ms() + ms; own_ms() < until;)
		for (int i = 0; i < 20000; i++)
			sink *= 1.0000001;
}

__attribute__((noinline)) static void brief_work(void)
{
	double some = 1;

	for (int i = 0; i < 10000; i++)
		some *= 1.0000001;
	sink = some;
}

static void *live_briefly(void *unused)
{
#pragma omp parallel num_threads(1)
	brief_work();
	return unused;
}

static void *live_long(void *parts)
{
	int count = *(const int *)parts;

	for (int i = 0; i < count; i++)
#pragma omp parallel num_threads(1)
		long_work((double)WORK_MS / count);
	printf("%.0f\n", own_ms());
	return NULL;
}

int main(int argc, char **argv)
{
	int parts = argc > 1 && strcmp(argv[1], "events") == 0 ? 20 : 1;
	pthread_t brief, longer;

	for (int i = 0; i < BRIEF; i++) {
		if (i == LONG_FROM)
			EXPECT(pthread_create(&longer, NULL, live_long, &parts) == 0);
		EXPECT(pthread_create(&brief, NULL, live_briefly, NULL) == 0);
		pthread_join(brief, NULL);
	}
	pthread_join(longer, NULL);
	return 0;
}
