/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For programs instrumented by hand: a table of descriptors, registered like instrumented code does
 * it, and what the program expects to find in them. expect() compares the data slots after
 * pomp_finalize() and prints the expectation for check-run.py, which compares the summary and the
 * trace with it.
 */
#ifndef REGIONS_H
#define REGIONS_H

#include "pomp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REGION(name, sub_name, line)                                                               \
	{                                                                                          \
		(char *)(name), (char *)(sub_name), 0, (char *)"hand.c", line, line, line + 1,     \
		    line + 1, {0}, NULL                                                            \
	}

extern OMPRegDescr regions[] __attribute__((visibility("protected")));
extern const int region_count;
static int failures;

__attribute__((constructor)) static void register_all(void)
{
	for (int i = 0; i + 1 < region_count; i++)
		regions[i].next = &regions[i + 1];
	pomp_register_regions(regions);
}

static inline void check(int holds, const char *what, uint64_t found, uint64_t expected)
{
	if (holds)
		return;
	fprintf(stderr, "%s: found %" PRIu64 ", expected %" PRIu64 "\n", what, found, expected);
	failures++;
}

/* Call after pomp_finalize(): the region was visited that often, counted over all threads. */
static inline void expect(const OMPRegDescr *region, uint64_t visits)
{
	printf("visits %s|%s|%d|%" PRIu64 "\n", region->name, region->sub_name, region->begin_line1,
	    visits);
	check(region->data[1] == visits, region->name, region->data[1], visits);
	if (visits == 0)
		return;
	/*
	 * A single visit may seem to take no time: the counter of some processors moves in steps of
	 * 10 ns, and that of another one, to which the thread was moved, may be behind.
	 */
	check(visits < 10 || region->data[2] > 0, "time", region->data[2], 1);
	printf("slot %s|%s|%d|%" PRIu64 "\n", region->name, region->sub_name, region->begin_line1,
	    region->data[2]);
}

/* A further expectation for check-run.py, such as "locations 4". */
#define print_expected(...) (printf(__VA_ARGS__), putchar('\n'))

static inline uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The processor time of the calling thread: what libpomp counts as work. */
static inline uint64_t ran(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline void work_for(uint64_t nanoseconds)
{
	for (uint64_t start = ran(); ran() - start < nanoseconds;)
		;
}

/*
 * What libpomp must find for a time that it measures from one event to another. The program reads
 * the clock inside of the events and outside: on a busy machine a thread may stand still for long
 * between its reading of the clock and libpomp's.
 */
struct span {
	uint64_t inside, outside;
};

static inline int result(void)
{
	return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
