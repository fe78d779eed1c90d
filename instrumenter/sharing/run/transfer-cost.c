/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A processor that has a line makes several accesses before another one gets it, so that a transfer
 * costs little where accesses follow each other at once. So the cost is measured for accesses with
 * more and more work between them. Each try lasts some microseconds, and the median of many counts:
 * tries during which a thread lost its processor are outliers.
 */
#include "transfer-cost.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { TRIES = 31, THREADS = 2, APART_BYTES = 4096, ACCESSES = 400 };

static const unsigned works[TRANSFER_GAPS] = {0, 4, 16, 64, 192}; /* multiplications */

/* Of an ordinary machine with two processors, in nanoseconds. */
static const double usual_apart[TRANSFER_GAPS] = {1, 4, 15, 55, 160};
static const double usual_cost[TRANSFER_GAPS] = {1, 3, 9, 25, 40};

/* No transfer is free, and none takes longer than between two sockets. */
static const double least_cost = 1e-9, most_cost = 300e-9;

struct trial {
	_Alignas(APART_BYTES) volatile uint64_t cells[THREADS * APART_BYTES / sizeof(uint64_t)];
	pthread_barrier_t barrier;
	unsigned work;
	size_t distance; /* of the threads' cells */
	double seconds[THREADS][TRIES];
};

struct trial_thread {
	struct trial *trial;
	unsigned number;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *run_thread(void *argument)
{
	const struct trial_thread *thread = argument;
	struct trial *trial = thread->trial;
	volatile uint64_t *cell = &trial->cells[thread->number * trial->distance];
	uint64_t value = thread->number + 1;

	for (unsigned i = 0; i < TRIES; i++) {
		pthread_barrier_wait(&trial->barrier);
		const double begin = now();
		for (unsigned j = 0; j < ACCESSES; j++) {
			*cell += value & 1;
			for (unsigned work = 0; work < trial->work; work++)
				value = value * 6364136223846793005U + 1;
		}
		trial->seconds[thread->number][i] = (now() - begin) / ACCESSES;
		*cell = value;
	}
	return NULL;
}

static int compare(const void *left, const void *right)
{
	const double first = *(const double *)left, second = *(const double *)right;

	return (first > second) - (first < second);
}

/* The median time of an access with its work; 0: there are no two threads. */
static double measure(struct trial *trial, unsigned work, size_t distance)
{
	struct trial_thread threads[THREADS] = {{trial, 0}, {trial, 1}};
	pthread_t other;

	trial->work = work;
	trial->distance = distance;
	if (pthread_create(&other, NULL, run_thread, &threads[1]) != 0)
		return 0;
	run_thread(&threads[0]);
	pthread_join(other, NULL);
	qsort(trial->seconds[0], TRIES, sizeof trial->seconds[0][0], compare);
	return trial->seconds[0][TRIES / 2];
}

static void set_usual(struct transfer_costs *costs)
{
	for (int i = 0; i < TRANSFER_GAPS; i++) {
		costs->apart[i] = 1e-9 * usual_apart[i];
		costs->cost[i] = 1e-9 * usual_cost[i];
	}
}

static unsigned processor_count(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

void transfer_costs_measure(struct transfer_costs *costs)
{
	struct trial *trial = NULL;
	double most = 0;

	set_usual(costs);
	if (processor_count() < THREADS ||
	    posix_memalign((void **)&trial, APART_BYTES, sizeof *trial) != 0)
		return;
	if (pthread_barrier_init(&trial->barrier, NULL, THREADS) != 0) {
		free(trial);
		return;
	}
	struct transfer_costs measured = {.is_measured = true};
	for (int i = 0; i < TRANSFER_GAPS; i++) {
		const double alone = measure(trial, works[i], APART_BYTES / sizeof(uint64_t));
		const double shared = measure(trial, works[i], 1);
		const double cost = shared - alone;
		measured.apart[i] = alone;
		measured.cost[i] = cost < least_cost  ? least_cost
				   : cost > most_cost ? most_cost
						      : cost;
		most = cost > most ? cost : most;
	}
	/* If sharing costs nothing, the threads did not run at the same time. */
	if (most > 4 * least_cost)
		*costs = measured;
	pthread_barrier_destroy(&trial->barrier);
	free(trial);
}

double transfer_cost(const struct transfer_costs *costs, double apart)
{
	const double *at = costs->apart, *cost = costs->cost;
	int i = 1;

	if (costs->fixed > 0)
		return costs->fixed;
	if (apart <= at[0])
		return cost[0];
	while (i < TRANSFER_GAPS - 1 && at[i] < apart)
		i++;
	if (apart >= at[i] || at[i] <= at[i - 1])
		return cost[i];
	return cost[i - 1] + (cost[i] - cost[i - 1]) * (apart - at[i - 1]) / (at[i] - at[i - 1]);
}
