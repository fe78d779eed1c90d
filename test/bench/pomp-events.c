/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an event costs: pairs of calls in a tight loop, beside the floor, which is reading the clock
 * and storing 16 bytes. Run it once for each mode (POMP_ENABLE_TRACING, POMP_DISABLE,
 * POMP_METRICS); prints one line for each kind of event.
 *
 * Floor and events take turns, so that both see the same machine, and count the processor time of
 * the thread, so that others on it do not count. "all" is over all turns: moving on to the next
 * window of the log is part of the price. "best" is the cheapest turn.
 *
 * With an argument, the experiment folder, also the bytes that the log takes for an event.
 */
#include "pomp.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#if defined HAVE_PAPI
#include <papi.h>
#endif

#if defined __x86_64__
#include <x86intrin.h>
#define read_counter() __rdtsc()
#else
#define read_counter() processor_time()
#endif

enum { TURNS = 100, PAIRS = 10000, STEPS = 400 };

static OMPRegDescr regions[] = {
    {"for", "", 0, "bench.c", 1, 1, 2, 2, {0}, &regions[1]},
    {"critical", "", 0, "bench.c", 3, 3, 4, 4, {0}, &regions[2]},
    {"task", "", 0, "bench.c", 5, 5, 6, 6, {0}, &regions[3]},
    {"region", "outer", 0, "bench.c", 7, 7, 8, 8, {0}, NULL},
};

static uint64_t processor_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t sink[4096];

static inline void store_floor(int i)
{
	volatile uint64_t *place = &sink[2 * i % 4096];

	place[0] = read_counter();
	place[1] = (uint64_t)i;
}

static void floor_pairs(int pairs)
{
	for (int i = 0; i < 2 * pairs; i++)
		store_floor(i);
}

/* Four events of two nested constructs: one record each, but the inner two can share one. */
static void loop_pairs(int pairs)
{
	for (int i = 0; i < pairs / 2; i++) {
		pomp_for_enter(&regions[0]);
		pomp_barrier_enter(&regions[0]);
		pomp_barrier_exit(&regions[0]);
		pomp_for_exit(&regions[0]);
	}
}

static void user_pairs(int pairs)
{
	for (int i = 0; i < pairs; i++) {
		pomp_begin(&regions[3]);
		pomp_end(&regions[3]);
	}
}

static void critical_pairs(int pairs)
{
	for (int i = 0; i < pairs / 2; i++) {
		pomp_critical_enter(&regions[1]);
		pomp_critical_begin(&regions[1]);
		pomp_critical_end(&regions[1]);
		pomp_critical_exit(&regions[1]);
	}
}

static void task_pairs(int pairs)
{
	for (int i = 0; i < pairs / 2; i++) {
		uint64_t task = pomp_task_create_begin(&regions[2]);
		pomp_task_begin(&regions[2], task);
		pomp_task_end(&regions[2], task);
		pomp_task_create_end(&regions[2], task);
	}
}

static uint64_t events; /* so far, all kinds */

static uint64_t time_of(void (*pairs)(int), int count)
{
	uint64_t start = processor_time();

	pairs(count);
	return processor_time() - start;
}

static void measure(const char *name, void (*pairs)(int))
{
	double best = INFINITY, best_floor = INFINITY, sum = 0, sum_floor = 0;
	const double per_event = 1.0 / (2.0 * PAIRS);

	pairs(PAIRS);
	for (int i = 0; i < TURNS; i++) {
		double floor_cost = (double)time_of(floor_pairs, PAIRS) * per_event;
		double cost = (double)time_of(pairs, PAIRS) * per_event;
		best = fmin(best, cost);
		best_floor = fmin(best_floor, floor_cost);
		sum += cost;
		sum_floor += floor_cost;
	}
	events += 2 * PAIRS * (TURNS + 1);
	printf("%-10s best %6.2f ns, %.2f x floor %5.2f;  all %6.2f ns, %.2f x floor %5.2f\n", name,
	    best, best / best_floor, best_floor, sum / TURNS, sum / sum_floor, sum_floor / TURNS);
}

/* Ten microseconds of work, with 14 events in between or without. */
static volatile double value = 1.0;

static void work_a_little(int rounds)
{
	for (int i = 0; i < rounds; i++)
		value = value * 1.0000001 + 1e-9;
}

enum events_of_step { NO_EVENTS, FLOOR, EVENTS };

static uint64_t step(int rounds, enum events_of_step with)
{
	uint64_t start = processor_time();

	for (int i = 0; i < 100; i++)
		for (int part = 0; part < 7; part++) {
			if (with == EVENTS)
				pomp_begin(&regions[3]);
			else if (with == FLOOR)
				store_floor(2 * part);
			work_a_little(rounds);
			if (with == EVENTS)
				pomp_end(&regions[3]);
			else if (with == FLOOR)
				store_floor(2 * part + 1);
		}
	events += with == EVENTS ? 1400 : 0;
	return processor_time() - start;
}

static int by_value(const void *left, const void *right)
{
	double one = *(const double *)left, other = *(const double *)right;

	return (one > other) - (one < other);
}

static void measure_dilation(void)
{
	double dilation[STEPS], least[STEPS];
	int rounds = 100;

	for (uint64_t time; (time = step(rounds, NO_EVENTS)) < 950000; rounds += rounds / 16)
		if (time == 0)
			return;
	for (int i = 0; i < STEPS; i++) {
		double without = (double)step(rounds, NO_EVENTS);
		dilation[i] = (double)step(rounds, EVENTS) / without - 1;
		least[i] = (double)step(rounds, FLOOR) / without - 1;
	}
	qsort(dilation, STEPS, sizeof(dilation[0]), by_value);
	qsort(least, STEPS, sizeof(least[0]), by_value);
	printf(
	    "dilation   %.2f %% of a step of 10 us with 14 events (median of %d pairs); floor %.2f %%\n",
	    100 * dilation[STEPS / 2], STEPS, 100 * least[STEPS / 2]);
}

#if defined HAVE_PAPI
/* What reading two counters costs without us, where this run's events read the same two. */
static void measure_reading(void)
{
	enum { READS = 2000 };
	int set = PAPI_NULL, codes[2];
	long long values[2];
	double best = INFINITY, best_event = INFINITY;

	if (getenv("POMP_METRICS") == NULL || PAPI_library_init(PAPI_VER_CURRENT) < 0 ||
	    PAPI_create_eventset(&set) != PAPI_OK ||
	    PAPI_event_name_to_code("perf::PAGE-FAULTS", &codes[0]) != PAPI_OK ||
	    PAPI_event_name_to_code("perf::TASK-CLOCK", &codes[1]) != PAPI_OK ||
	    PAPI_add_events(set, codes, 2) != PAPI_OK)
		return;
	for (int turn = 0; turn < TURNS; turn++) {
		/* One event set runs at a time in a thread: the library's is stopped meanwhile. */
		best_event = fmin(best_event, (double)time_of(user_pairs, READS / 2) / READS);
	}
	events += (uint64_t)TURNS * READS;
	pomp_finalize();
	if (PAPI_start(set) != PAPI_OK) {
		printf("reading    the bare read cannot be measured\n");
		return;
	}
	for (int turn = 0; turn < TURNS; turn++) {
		uint64_t start = processor_time();
		for (int i = 0; i < READS; i++)
			PAPI_read(set, values);
		best = fmin(best, (double)(processor_time() - start) / READS);
	}
	printf("reading    event with 2 counters %.0f ns, bare PAPI_read %.0f ns: %.2f x\n",
	    best_event, best, best_event / best);
}
#endif

static void print_bytes(const char *folder)
{
	char path[4096];
	struct stat status;

	snprintf(path, sizeof(path), "%s/thread-000000.pomplog", folder);
	if (stat(path, &status) == 0)
		printf("log        %.2f bytes per event, %" PRIu64 " events\n",
		    (double)status.st_size / (double)events, events);
}

int main(int argc, char **argv)
{
	pomp_register_regions(regions);
	measure("loop", loop_pairs);
	measure("user", user_pairs);
	measure("critical", critical_pairs);
	measure("task", task_pairs);
	measure_dilation();
#if defined HAVE_PAPI
	measure_reading();
#endif
	pomp_finalize();
	if (argc > 1)
		print_bytes(argv[1]);
	return 0;
}
