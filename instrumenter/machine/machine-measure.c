/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bandwidth: the triad of STREAM over arrays that are together four times as large as the last
 * cache, the best of several rounds, since whatever disturbs makes it slower. Each thread touches
 * its part of the arrays first. Clock: a chain of dependent instructions, whose cycles are always
 * the same, in the processor time of its thread, which does not contain the time that the thread
 * had no processor. Peak: machine-arithmetic.c.
 */
#include "machine-measure.h"

#include "error-text.h"
#include "machine-arithmetic.h"
#include "machine-threads.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
	ROUNDS = 7,
	CHAIN_STEPS = 4000000,
	ARITHMETIC_STEPS = 2000000,
	ARRAYS = 3,
	LEAST_BYTES = 1 << 28
};

struct triad {
	double *arrays[ARRAYS];
	size_t elements; /* of each array */
	unsigned threads;
};

struct chain {
	double *times; /* by thread, of a step in ns: the shortest round so far */
};

static void find_part(
    const struct triad *triad, unsigned thread, size_t *restrict begin, size_t *restrict end)
{
	*begin = triad->elements * thread / triad->threads;
	*end = triad->elements * (thread + 1) / triad->threads;
}

static void touch(void *context, unsigned thread)
{
	const struct triad *triad = context;
	size_t begin, end;

	find_part(triad, thread, &begin, &end);
	for (unsigned i = 0; i < ARRAYS; i++)
		for (size_t at = begin; at < end; at++)
			triad->arrays[i][at] = (double)i;
}

static void run_triad(void *context, unsigned thread)
{
	const struct triad *triad = context;
	double *restrict a = triad->arrays[0];
	const double *restrict b = triad->arrays[1], *restrict c = triad->arrays[2];
	size_t begin, end;

	find_part(triad, thread, &begin, &end);
	for (size_t i = begin; i < end; i++)
		a[i] = b[i] + 3 * c[i];
}

static double processor_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void begin_chain(void *context, unsigned thread)
{
	((struct chain *)context)->times[thread] = INFINITY;
}

static void run_chain(void *context, unsigned thread)
{
	struct chain *chain = context;
	double begin = processor_time();
	uint64_t value = thread;

	for (int i = 0; i < CHAIN_STEPS; i++) {
		value = value * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(value)); /* each step is done, one after the other */
	}
	double time = (processor_time() - begin) / CHAIN_STEPS;
	if (time < chain->times[thread])
		chain->times[thread] = time;
}

static double shortest(const double *seconds)
{
	double best = seconds[0];

	for (unsigned i = 1; i < ROUNDS; i++)
		best = seconds[i] < best ? seconds[i] : best;
	return best;
}

/* Elements of each array: beyond the caches, but not more than an eighth of the memory in all. */
static size_t choose_elements(void)
{
	long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
	size_t bytes = LEAST_BYTES;

	if (cache > 0 && bytes < 4 * (size_t)cache)
		bytes = 4 * (size_t)cache;
	if (pages > 0 && page > 0 && bytes > (size_t)pages * (size_t)page / 8)
		bytes = (size_t)pages * (size_t)page / 8;
	return bytes / sizeof(double) / ARRAYS;
}

static bool measure_bandwidth(
    const cpu_set_t *processors, unsigned threads, size_t elements, double *bandwidth)
{
	struct triad triad = {.elements = elements, .threads = threads};
	size_t size = ARRAYS * elements * sizeof(double);
	double seconds[ROUNDS];
	/* New memory each time, so that each thread touches its part first. */
	double *memory =
	    mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	for (unsigned i = 0; i < ARRAYS; i++)
		triad.arrays[i] = memory + i * elements;
	bool done =
	    machine_run_threads(threads, processors, touch, run_triad, &triad, ROUNDS, seconds);
	if (done)
		*bandwidth = (double)size / shortest(seconds);
	munmap(memory, size);
	return done;
}

static bool measure_chain(const cpu_set_t *processors, unsigned threads, double *time)
{
	struct chain chain = {.times = calloc(threads, sizeof(double))};
	double seconds[ROUNDS], sum = 0;

	if (chain.times == NULL)
		return false;
	bool done = machine_run_threads(
	    threads, processors, begin_chain, run_chain, &chain, ROUNDS, seconds);
	for (unsigned i = 0; i < threads; i++)
		sum += chain.times[i];
	*time = sum / threads;
	free(chain.times);
	return done;
}

static void begin_arithmetic(void *context, unsigned thread)
{
	(void)context;
	(void)thread;
}

static void run_arithmetic(void *context, unsigned thread)
{
	(void)thread;
	((const struct machine_arithmetic *)context)->run(ARITHMETIC_STEPS);
}

static bool measure_peak(const cpu_set_t *processors, unsigned threads, double *peak)
{
	struct machine_arithmetic arithmetic = machine_choose_arithmetic();
	double seconds[ROUNDS];

	if (!machine_run_threads(threads, processors, begin_arithmetic, run_arithmetic, &arithmetic,
		ROUNDS, seconds))
		return false;
	*peak = arithmetic.operations * ARITHMETIC_STEPS * threads / shortest(seconds);
	return true;
}

bool machine_measure(struct machine_figures *figures, char **error)
{
	cpu_set_t processors;
	size_t elements = choose_elements();

	*figures = (struct machine_figures){.count = 0};
	machine_find_processor(figures->processor, sizeof figures->processor);
	if (sched_getaffinity(0, sizeof processors, &processors) != 0)
		return error_set(error, "the kernel does not say on which processors this may run");
	figures->processors = (unsigned)CPU_COUNT(&processors);
	for (unsigned threads = 1; figures->count < MACHINE_ROWS;) {
		struct machine_row *row = &figures->rows[figures->count++];
		row->threads = threads;
		if (!measure_bandwidth(&processors, threads, elements, &row->bandwidth) ||
		    !measure_chain(&processors, threads, &row->chain_time) ||
		    !measure_peak(&processors, threads, &row->peak))
			return error_set(error,
			    "cannot measure %u threads: expected %zu MiB of memory and as many "
			    "threads",
			    threads, ARRAYS * elements * sizeof(double) >> 20);
		if (threads == figures->processors)
			break;
		threads = 2 * threads < figures->processors ? 2 * threads : figures->processors;
	}
	return true;
}
