/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an event costs: pairs of calls in a tight loop, beside the floor, which is reading the clock
 * and storing 16 bytes. Run it once per mode (see POMP_ENABLE_TRACING, POMP_DISABLE); prints one
 * line.
 *
 * The log moves its window now and then; that is part of the price and in the figure. The best of
 * many short batches counts for floor and events alike, on a machine that others use too; "mean" is
 * over all batches.
 */
#include "pomp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if defined __x86_64__
#include <x86intrin.h>
#define read_counter() __rdtsc()
#else
#define read_counter() now()
#endif

enum { BATCHES = 400, PAIRS = 5000 };

static OMPRegDescr regions[] = {
    {"for", "", 0, "bench.c", 1, 1, 2, 2, {0}, &regions[1]},
    {"critical", "", 0, "bench.c", 3, 3, 4, 4, {0}, &regions[2]},
    {"task", "", 0, "bench.c", 5, 5, 6, 6, {0}, NULL},
};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t sink[4096];

static void floor_pairs(void)
{
	for (int i = 0; i < PAIRS; i++) {
		volatile uint64_t *place = &sink[4 * i % 4096];
		place[0] = read_counter();
		place[1] = (uint64_t)i;
		place[2] = read_counter();
		place[3] = (uint64_t)i;
	}
}

static void loop_pairs(void)
{
	for (int i = 0; i < PAIRS; i++) {
		pomp_for_enter(&regions[0]);
		pomp_for_exit(&regions[0]);
	}
}

static void critical_pairs(void)
{
	for (int i = 0; i < PAIRS / 2; i++) {
		pomp_critical_enter(&regions[1]);
		pomp_critical_begin(&regions[1]);
		pomp_critical_end(&regions[1]);
		pomp_critical_exit(&regions[1]);
	}
}

static void task_pairs(void)
{
	for (int i = 0; i < PAIRS / 2; i++) {
		uint64_t task = pomp_task_create_begin(&regions[2]);
		pomp_task_begin(&regions[2], task);
		pomp_task_end(&regions[2], task);
		pomp_task_create_end(&regions[2], task);
	}
}

/* Prints ns per event: 2 * PAIRS events a batch. */
static double measure(const char *name, void (*pairs)(void))
{
	double best = 1e9, sum = 0;

	pairs();
	for (int i = 0; i < BATCHES; i++) {
		uint64_t start = now();
		pairs();
		double cost = (double)(now() - start) / (2.0 * PAIRS);
		best = cost < best ? cost : best;
		sum += cost;
	}
	printf("%-10s %6.2f ns per event (mean %.2f)\n", name, best, sum / BATCHES);
	return best;
}

int main(void)
{
	pomp_register_regions(regions);
	double least = measure("floor", floor_pairs);
	printf("loop / floor: %.2f\n", measure("loop", loop_pairs) / least);
	measure("critical", critical_pairs);
	measure("task", task_pairs);
	pomp_unregister_regions(regions);
	return 0;
}
