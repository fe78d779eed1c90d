/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs whose work grows with the threads for a reason that is known, and the same without it:
 * growing CAUSE plain|mended. All are of the same work on any number of threads, except for what
 * their cause adds.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_THREADS = 256, LINE = 64 };

static volatile double sink;

static double compute(long steps)
{
	double x = 1;

	for (long i = 0; i < steps; i++)
		x = x * 0.999999 + 0.5;
	return x;
}

/* No growth; with more threads than processors, waiting for one. */
static void arithmetic(int mended)
{
	double sum = 0;

	(void)mended;
#pragma omp parallel for reduction(+ : sum) schedule(static)
	for (int i = 0; i < 400; i++)
		sum += compute(400000);
	sink = sum;
}

/* Each thread touches new memory in each step. */
static void faults(int mended)
{
	enum { STEPS = 150, BYTES = 8 << 20 };

#pragma omp parallel
	{
		char *kept = malloc(BYTES);

		for (int step = 0; step < STEPS; step++) {
			/* Not by malloc(), which soon keeps what is freed. */
			char *memory = mended ? kept
					      : mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
						    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			for (int at = 0; at < BYTES; at += 4096)
				memory[at] = (char)step;
			sink = memory[step];
			if (!mended)
				munmap(memory, BYTES);
		}
		free(kept);
	}
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 64; i++)
		sink = compute(400000);
}

static struct {
	volatile long count;
} counters[MOST_THREADS];
static struct {
	_Alignas(LINE) volatile long count;
} apart[MOST_THREADS];

/* Threads write to neighbouring counters. */
static void sharing(int mended)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 200000000; i++) {
		if (mended)
			apart[omp_get_thread_num()].count++;
		else
			counters[omp_get_thread_num()].count++;
	}
}

/* Each thread computes what one could compute for all. */
static void repeated(int mended)
{
#pragma omp parallel
	{
		double own;

		if (mended) {
#pragma omp single
			sink = compute(120000000);
			own = sink;
		} else {
			own = compute(120000000);
		}
#pragma omp for schedule(static)
		for (int i = 0; i < 100; i++)
			sink = own + compute(400000);
	}
}

/* As many tasks for each thread as one thread has in all. */
static void tasks(int mended)
{
	int count = 400 * (mended ? 1 : omp_get_max_threads());

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < count; i++) {
#pragma omp task
		sink = compute(400000);
	}
}

/* A triad over arrays beyond the caches; mended, over a part that stays in them. */
static void bandwidth(int mended)
{
	enum { ELEMENTS = 1 << 23, STEPS = 24, BLOCK = 1 << 13 };
	double *a = malloc(ELEMENTS * sizeof *a), *b = malloc(ELEMENTS * sizeof *b),
	       *c = malloc(ELEMENTS * sizeof *c);

#pragma omp parallel for schedule(static)
	for (int i = 0; i < ELEMENTS; i++) {
		a[i] = i;
		b[i] = i;
		c[i] = 1;
	}
	if (mended) {
#pragma omp parallel for schedule(static)
		for (int block = 0; block < ELEMENTS / BLOCK; block++)
			for (int step = 0; step < STEPS; step++)
				for (int i = block * BLOCK; i < (block + 1) * BLOCK; i++)
					a[i] = b[i] + (3 + step) * c[i];
	} else {
		for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for schedule(static)
			for (int i = 0; i < ELEMENTS; i++)
				a[i] = b[i] + (3 + step) * c[i];
		}
	}
	sink = a[17];
	free(a);
	free(b);
	free(c);
}

/* Each step goes to another place of a table that all threads read; mended, of a small table. */
static void latency(int mended)
{
	const unsigned entries = mended ? 1u << 12 : 1u << 26;
	unsigned *next = malloc(entries * sizeof *next);

	/* The odd multiplier visits all entries; a power of two makes it a permutation. */
#pragma omp parallel for schedule(static)
	for (unsigned i = 0; i < entries; i++)
		next[i] = (i * 1664525u + 1013904223u) & (entries - 1);
#pragma omp parallel for schedule(static)
	for (unsigned walk = 0; walk < 64; walk++) {
		unsigned at = walk * (entries / 64);

		for (int step = 0; step < 100000; step++)
			at = next[at];
		sink = at;
	}
	free(next);
}

/* The critical is entered once by each thread for each of the steps, or once in all. */
static void executions(int mended)
{
#pragma omp parallel
	for (int step = 0; step < 200; step++) {
		if (!mended || omp_get_thread_num() == 0) {
#pragma omp critical
			sink = compute(300000);
		}
	}
}

static const struct {
	const char *name;
	void (*run)(int mended);
} causes[] = {{"arithmetic", arithmetic}, {"faults", faults}, {"sharing", sharing},
    {"repeated", repeated}, {"tasks", tasks}, {"bandwidth", bandwidth}, {"latency", latency},
    {"executions", executions}};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof causes / sizeof causes[0]; i++)
		if (strcmp(argv[1], causes[i].name) == 0) {
			causes[i].run(strcmp(argv[2], "mended") == 0);
			return 0;
		}
	fprintf(stderr, "usage: growing CAUSE plain|mended\n");
	return 2;
}
