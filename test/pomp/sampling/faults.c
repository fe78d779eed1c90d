/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Page faults in one line, between work without any, in steps that are much shorter than the time
 * between two samples: `faults STEPS`. Each of two threads prints its processor time, in all and in
 * the phase with the faults.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { BYTES = 1 << 19, PAGE = 4096 };

static volatile double sink;

static double processor_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static __attribute__((noinline)) void work(void)
{
	double value = 1;

	for (int i = 0; i < 60000; i++)
		value = value * 1.0000001 + 0.1; /* work line */
	sink = value;
}

static __attribute__((noinline)) void touch(volatile char *memory)
{
	for (size_t i = 0; i < BYTES; i += PAGE)
		memory[i] = 1; /* touch line */
}

static __attribute__((noinline)) void step(double *time)
{
	work();
	char *memory =
	    mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double begin = processor_time();
	touch(memory);
	*time += processor_time() - begin;
	munmap(memory, BYTES); /* release line */
	work();
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 1;

#pragma omp parallel num_threads(2)
	{
		double begin = processor_time(), time = 0;
		for (int i = 0; i < steps; i++)
			step(&time);
#pragma omp critical
		printf("%g %g\n", processor_time() - begin, time);
	}
	return 0;
}
