/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two functions one after the other, of which one uses new pages as it works, each for so many
 * seconds of the processor time of each of two threads: `counters SECONDS`. Prints for each thread
 * the page faults of each function, and how often it has left its processor.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { BYTES = 1 << 16, PAGE = 4096 };

static volatile double sink;

static double processor_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static long page_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt;
}

static long absences(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* Not a function, which would have the samples. */
#define WORK(value)                                                                                \
	for (int step = 0; step < 3000; step++)                                                    \
	(value) = (value)*1.0000001 + 0.1

static __attribute__((noinline)) void calm(double seconds)
{
	double value = 1;

	for (double end = processor_time() + seconds; processor_time() < end;)
		for (int i = 0; i < BYTES / PAGE; i++)
			WORK(value);
	sink = value;
}

static __attribute__((noinline)) void faulty(double seconds)
{
	double value = 1;

	for (double end = processor_time() + seconds; processor_time() < end;) {
		volatile char *memory =
		    mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (int i = 0; i < BYTES; i += PAGE) {
			memory[i] = 1;
			WORK(value);
		}
		munmap((void *)memory, BYTES);
	}
	sink = value;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0.1;

#pragma omp parallel num_threads(2)
	{
		long before = page_faults();
		calm(seconds);
		long between = page_faults();
		faulty(seconds);
#pragma omp critical
		printf("%ld %ld %ld\n", between - before, page_faults() - between, absences());
	}
	return 0;
}
