/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nothing in the library has a fixed size: thousands of regions, a region stack thousands deep,
 * hundreds of short-lived threads that the program makes itself, some of them forking teams.
 */
#include "regions.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { REGIONS = 3000, DEPTH = 5000, THREADS = 200 };

OMPRegDescr regions[REGIONS];
const int region_count = REGIONS;

/* Before register_all(), which has no priority. */
__attribute__((constructor(200))) static void fill(void)
{
	for (int i = 0; i < REGIONS; i++)
		regions[i] = (OMPRegDescr)REGION("region", "", i + 1);
	for (int i = 0; i < REGIONS; i++) {
		char name[16];
		snprintf(name, sizeof(name), "r%d", i);
		regions[i].sub_name = strdup(name);
	}
}

static void recurse(int depth)
{
	pomp_begin(&regions[0]);
	if (depth > 1)
		recurse(depth - 1);
	pomp_end(&regions[0]);
}

static void *visitor(void *unused)
{
	(void)unused;
	pomp_begin(&regions[1]);
	pomp_end(&regions[1]);
	return NULL;
}

int main(void)
{
	uint64_t start = now();
	recurse(DEPTH);
	uint64_t recursion = now() - start;
	for (int i = 2; i < REGIONS; i++) {
		pomp_begin(&regions[i]);
		pomp_end(&regions[i]);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, visitor, NULL);
		pthread_join(thread, NULL);
	}
	pomp_finalize();
	expect(&regions[0], DEPTH);
	check(regions[0].data[2] <= recursion, "recursion counted once", regions[0].data[2],
	    recursion);
	expect(&regions[1], THREADS);
	for (int i = 2; i < REGIONS; i++)
		expect(&regions[i], 1);
	print_expected("locations %d", THREADS + 1);
	return result();
}
