/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A processor that has a line makes several accesses before another one gets it, so that a transfer
 * costs little where accesses follow each other at once; and where they are far apart, other work
 * hides a part of it. So the cost is measured for accesses with more and more work between them,
 * for each use of a line. A try lasts some microseconds; of many the median counts of those during
 * which both threads ran all the time, on whichever processors the system has them.
 */
#include "transfer-cost.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum {
	TRIES = 11,
	ALONE_TRIES = 5,
	THREADS = 2,
	APART_WORDS = 512,
	LINE_WORDS = 8,
	WALKED_LINES = 32,
	ALONE_ACCESSES = 200,
	CHUNK = 16,
	SPINS = 50000
};

static const double try_seconds = 15e-6, longest_try = 500e-6, longest_measurement = 0.6;

/* Steps of four multiplications. */
static const unsigned works[TRANSFER_GAPS] = {0, 2, 5, 12, 30, 75, 200};

/* Of an ordinary machine with two processors, in nanoseconds. */
static const double usual_apart[TRANSFER_GAPS] = {2, 3, 6, 13, 32, 87, 215};
static const double usual_cost[SHARING_USES][TRANSFER_GAPS] = {
    [SHARING_UPDATES] = {0.1, 0.3, 2, 7, 22, 40, 30},
    [SHARING_WALKS] = {12, 12, 11, 10, 9, 5, 3},
    [SHARING_READS] = {0.2, 1, 3, 6, 12, 17, 15},
    [SHARING_ATOMICS] = {25, 25, 35, 45, 45, 50, 35},
};

/*
 * The first thread measures while the second one does the same. The steps of a try are the numbers
 * that each stores: the first thread begins when the second is at work, and the second ends, and
 * says what it has done meanwhile, when the first has ended.
 */
struct trial {
	_Alignas(sizeof(uint64_t) * APART_WORDS) volatile uint64_t cells[THREADS * APART_WORDS];
	_Alignas(64) _Atomic unsigned turn, begun, done;
	_Atomic bool is_over;
	_Alignas(64) _Atomic unsigned ready, reported;
	unsigned others; /* accesses of the second thread, from `begun` to `done` */
	_Alignas(64) enum sharing_use use;
	unsigned work, accesses;
	size_t distance; /* of the threads' cells, in words */
	double deadline;
	cpu_set_t processors;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void access_cell(
    const struct trial *trial, unsigned thread, volatile uint64_t *cell, unsigned accesses)
{
	const uint64_t factor = 6364136223846793005U;
	uint64_t a = thread, b = 3, c = 5, d = 7, sum = 0;

	for (unsigned i = 0; i < accesses; i++) {
		if (trial->use == SHARING_WALKS)
			cell[(size_t)i % WALKED_LINES * LINE_WORDS] += a & 1;
		else if (trial->use == SHARING_ATOMICS)
			atomic_fetch_add((volatile _Atomic uint64_t *)cell, 1);
		else if (trial->use == SHARING_READS && thread == 0)
			sum += *cell;
		else if (trial->use == SHARING_READS)
			*cell = a;
		else
			*cell += a & 1;
		for (unsigned work = 0; work < trial->work; work++) {
			a = a * factor + 1;
			b = b * factor + 1;
			c = c * factor + 1;
			d = d * factor + 1;
		}
	}
	__asm__ volatile("" : : "r"(a + b + c + d + sum));
}

/* False: time is over. */
static bool wait_for(struct trial *trial, _Atomic unsigned *number, unsigned turn)
{
	for (unsigned spins = 0; atomic_load(number) != turn; spins++) {
		if (spins < SPINS)
			continue;
		if (now() > trial->deadline)
			atomic_store(&trial->is_over, true);
		if (atomic_load(&trial->is_over))
			return false;
		sched_yield();
	}
	return true;
}

/*
 * Keeps the threads on different processors: `second` is true for the second thread. Neighbouring
 * numbers, and those half of all apart, are the same core's on many machines.
 */
static void stay(const cpu_set_t *processors, bool second)
{
	const int count = CPU_COUNT(processors);
	int left = !second ? 0 : count > 4 ? count / 2 - 1 : 1;
	cpu_set_t one;

	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, processors) && left-- == 0) {
			CPU_ZERO(&one);
			CPU_SET(i, &one);
			sched_setaffinity(0, sizeof one, &one);
			return;
		}
}

static void *run_second(void *argument)
{
	struct trial *trial = argument;
	volatile uint64_t *cell = &trial->cells[trial->distance];

	stay(&trial->processors, true);
	for (unsigned turn = 1; wait_for(trial, &trial->turn, turn); turn++) {
		atomic_store(&trial->ready, turn);
		while (atomic_load(&trial->begun) != turn && !atomic_load(&trial->is_over))
			access_cell(trial, 1, cell, CHUNK);
		trial->others = 0;
		while (atomic_load(&trial->done) != turn && !atomic_load(&trial->is_over)) {
			access_cell(trial, 1, cell, CHUNK);
			trial->others += CHUNK;
		}
		atomic_store(&trial->reported, turn);
	}
	return NULL;
}

static int compare(const void *left, const void *right)
{
	const double first = *(const double *)left, second = *(const double *)right;

	return (first > second) - (first < second);
}

static double median(double *values, unsigned count)
{
	qsort(values, count, sizeof *values, compare);
	return values[count / 2];
}

/* Seconds from access to access of one thread alone. */
static double measure_alone(struct trial *trial)
{
	double seconds[ALONE_TRIES];

	for (unsigned i = 0; i < ALONE_TRIES; i++) {
		const double begin = now();
		access_cell(trial, 0, trial->cells, ALONE_ACCESSES);
		seconds[i] = (now() - begin) / ALONE_ACCESSES;
	}
	return median(seconds, ALONE_TRIES);
}

/* Seconds from access to access while another thread uses a cell so far away; 0: there was no time.
 */
static double measure(struct trial *trial, size_t distance)
{
	double seconds[TRIES];
	unsigned count = 0;
	pthread_t second;

	trial->distance = distance;
	atomic_store(&trial->turn, 0);
	atomic_store(&trial->ready, 0);
	atomic_store(&trial->begun, 0);
	atomic_store(&trial->done, 0);
	atomic_store(&trial->reported, 0);
	if (pthread_create(&second, NULL, run_second, trial) != 0)
		return 0;
	for (unsigned turn = 1; count < TRIES; turn++) {
		atomic_store(&trial->turn, turn);
		if (!wait_for(trial, &trial->ready, turn))
			break;
		const double begin = now();
		atomic_store(&trial->begun, turn);
		access_cell(trial, 0, trial->cells, trial->accesses);
		const double end = now();
		atomic_store(&trial->done, turn);
		if (!wait_for(trial, &trial->reported, turn))
			break;
		/* Else one of them has lost its processor. */
		if (trial->others >= trial->accesses / 2 && end - begin < longest_try)
			seconds[count++] = (end - begin) / trial->accesses;
	}
	atomic_store(&trial->is_over, true);
	pthread_join(second, NULL);
	atomic_store(&trial->is_over, false);
	return count == TRIES ? median(seconds, count) : 0;
}

static void set_usual(struct transfer_costs *costs)
{
	for (int use = 0; use < SHARING_USES; use++)
		for (int i = 0; i < TRANSFER_GAPS; i++) {
			costs->curves[use].apart[i] = 1e-9 * usual_apart[i];
			costs->curves[use].cost[i] = 1e-9 * usual_cost[use][i];
		}
}

/* False: it cannot be measured. */
static bool measure_curve(struct trial *trial, enum sharing_use use, struct transfer_curve *curve)
{
	trial->use = use;
	for (int i = 0; i < TRANSFER_GAPS; i++) {
		trial->work = works[i];
		const double least = measure_alone(trial);
		trial->accesses = (unsigned)(try_seconds / least) + 1;
		const double alone = measure(trial, APART_WORDS), shared = measure(trial, 1);
		if (alone <= 0 || shared <= 0)
			return false;
		/* With little work an access may take longer, because it needs the one before. */
		curve->apart[i] =
		    i > 0 && alone < curve->apart[i - 1] ? curve->apart[i - 1] : alone;
		curve->cost[i] = shared > alone ? shared - alone : 0;
	}
	return true;
}

void transfer_costs_measure(struct transfer_costs *costs)
{
	struct transfer_costs measured = {.is_measured = true};
	struct trial *trial = NULL;
	cpu_set_t processors;

	set_usual(costs);
	if (sched_getaffinity(0, sizeof processors, &processors) != 0 ||
	    CPU_COUNT(&processors) < THREADS ||
	    posix_memalign((void **)&trial, _Alignof(struct trial), sizeof *trial) != 0)
		return;
	trial->processors = processors;
	trial->deadline = now() + longest_measurement;
	atomic_init(&trial->is_over, false);
	stay(&processors, false);
	for (int use = 0; use < SHARING_USES && measured.is_measured; use++)
		measured.is_measured =
		    measure_curve(trial, (enum sharing_use)use, &measured.curves[use]);
	sched_setaffinity(0, sizeof processors, &processors);
	if (measured.is_measured)
		*costs = measured;
	free(trial);
}

double transfer_cost(const struct transfer_costs *costs, enum sharing_use use, double apart)
{
	const double *at = costs->curves[use].apart, *cost = costs->curves[use].cost;
	int i = 1;

	if (apart <= at[0])
		return cost[0];
	while (i < TRANSFER_GAPS - 1 && at[i] < apart)
		i++;
	if (apart >= at[i] || at[i] <= at[i - 1])
		return cost[i];
	return cost[i - 1] + (cost[i] - cost[i - 1]) * (apart - at[i - 1]) / (at[i] - at[i - 1]);
}

void transfer_costs_range(const struct transfer_costs *costs, double *least, double *most)
{
	*least = *most = costs->curves[0].cost[0];
	for (int use = 0; use < SHARING_USES; use++)
		for (int i = 0; i < TRANSFER_GAPS; i++) {
			const double cost = costs->curves[use].cost[i];
			*least = cost < *least ? cost : *least;
			*most = cost > *most ? cost : *most;
		}
}
