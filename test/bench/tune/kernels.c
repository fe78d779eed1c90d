/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small programs for search.py, one for each name that is defined: those with a setting that is
 * known to be better than what is written, then those with none. Each takes some ten milliseconds
 * and prints a sum that no setting changes.
 */
#include "../work.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 512, MEGABYTE = 1 << 20 };

/* A fixed number below `most` for each i. */
static inline unsigned scattered(unsigned i, unsigned most)
{
	i = (i ^ 61) ^ (i >> 16);
	i *= 9;
	i = (i ^ (i >> 4)) * 0x27d4eb2d;
	return (i ^ (i >> 15)) % most;
}

#if defined(triangle) /* any schedule but one block for each thread */
static long kernel(void)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < COUNT; i++) {
		work(400 * i);
		sum += i;
	}
	return sum;
}

#elif defined(heavy) /* dynamic: one iteration is as much as a third of the others */
static long kernel(void)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < COUNT; i++) {
		work(i == COUNT / 3 ? 16000000 : 70000);
		sum += i;
	}
	return sum;
}

#elif defined(bimodal) /* static,1, or dynamic: the first half is heavy */
static long kernel(void)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
	for (int i = 0; i < COUNT; i++) {
		work(i < COUNT / 2 ? 240000 : 20000);
		sum += i;
	}
	return sum;
}

#elif defined(clusters) /* dynamic with small chunks: a few neighbours have nearly all the work */
static long kernel(void)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 128)
	for (int i = 0; i < COUNT; i++) {
		work(i >= 200 && i < 320 ? 500000 : 4000);
		sum += i;
	}
	return sum;
}

#elif defined(growing) /* dynamic: the last iterations take longest, so that guided is too coarse  \
			  at first */
static long kernel(void)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 64)
	for (int i = 0; i < COUNT; i++) {
		work(i / 32 * i / 32 * 900);
		sum += i;
	}
	return sum;
}

#elif defined(crumbs) /* static: what dynamic costs is more than the iterations */
static long kernel(void)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
	for (int i = 0; i < 6000000; i++)
		sum += scattered(i, 7);
	return sum;
}

#elif defined(sharing) /* static: with chunks of one, threads write into the same cache lines */
static long kernel(void)
{
	static int counts[COUNT];
	long sum = 0;
	for (int step = 0; step < 4000; step++)
#pragma omp parallel for schedule(static, 1)
		for (int i = 0; i < COUNT; i++)
			counts[i] += i & 1;
	for (int i = 0; i < COUNT; i++)
		sum += counts[i];
	return sum;
}

#elif defined(two) /* dynamic for the first loop, static for the second */
static long kernel(void)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < COUNT; i++) {
		work(300 * i);
		sum += i;
	}
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
	for (int i = 0; i < 3000000; i++)
		sum += scattered(i, 5);
	return sum;
}

#elif defined(churn) /* malloc keeps memory: blocks are mapped and unmapped in each step */
static long kernel(void)
{
	long sum = 0;
	for (int step = 0; step < 600; step++) {
		char *block = malloc(4 * MEGABYTE);
		if (block == NULL)
			return -1;
		for (int i = 0; i < 4 * MEGABYTE; i += 4096)
			block[i] = (char)i;
		sum += block[step % 1024 * 4096];
		free(block);
	}
	return sum;
}

#elif defined(regions) /* one thread: the regions are shorter than what starting them costs */
static long kernel(void)
{
	long sum = 0;
	for (int step = 0; step < 5000; step++)
#pragma omp parallel for reduction(+ : sum)
		for (int i = 0; i < 16; i++)
			sum += scattered(i, 9);
	return sum;
}

#elif defined(tasks) /* one thread: tasks are shorter than what making them costs */
static long fib(int n)
{
	long one, other;
	if (n < 2)
		return n;
#pragma omp task shared(one)
	one = fib(n - 1);
#pragma omp task shared(other)
	other = fib(n - 2);
#pragma omp taskwait
	return one + other;
}

static long kernel(void)
{
	long sum = 0;
#pragma omp parallel
#pragma omp single
	sum = fib(24);
	return sum;
}

#elif defined(nested) /* one thread: regions inside of regions have more threads than there are    \
			 processors */
static long kernel(void)
{
	long sum = 0;
	omp_set_max_active_levels(2);
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 10000; i++) {
		long part = 0;
#pragma omp parallel for reduction(+ : part)
		for (int k = 0; k < 8; k++)
			part += scattered(i + k, 11);
		sum += part;
	}
	return sum;
}

#elif defined(contended) /* one thread: all threads want the same lock all the time */
static long kernel(void)
{
	long sum = 0;
#pragma omp parallel for schedule(dynamic, 256)
	for (int i = 0; i < 3000000; i++)
#pragma omp critical
		sum += scattered(i, 3);
	return sum;
}

#elif defined(even) /* nothing: as good as it gets */
static long kernel(void)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < COUNT; i++) {
		work(100000);
		sum += i;
	}
	return sum;
}

#elif defined(serial) /* nothing: no region at all */
static long kernel(void)
{
	work(40000000);
	return 1;
}

#elif defined(balanced) /* nothing: dynamic with enough work in each chunk */
static long kernel(void)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 4)
	for (int i = 0; i < COUNT; i++) {
		work(60000 + (int)scattered(i, 60000));
		sum += i;
	}
	return sum;
}

#elif defined(coarse) /* nothing: few large tasks */
static long kernel(void)
{
	long sum = 0;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 64; i++)
#pragma omp task shared(sum)
	{
		work(800000);
#pragma omp atomic
		sum += i;
	}
	return sum;
}

#elif defined(stream) /* nothing: each thread goes through its own part of memory */
static long kernel(void)
{
	static float from[2 * MEGABYTE], to[2 * MEGABYTE];
	for (int step = 0; step < 60; step++)
#pragma omp parallel for
		for (int i = 0; i < 2 * MEGABYTE; i++)
			to[i] = from[i] * 0.5f + (float)step;
	return (long)to[17];
}

#elif defined(kept) /* nothing: malloc, but blocks that stay small */
static long kernel(void)
{
	long sum = 0;
	for (int step = 0; step < 5000000; step++) {
		int *block = malloc(64);
		if (block == NULL)
			return -1;
		__asm__ volatile("" : "+r"(block));
		*block = step;
		sum += *block;
		free(block);
	}
	return sum;
}
#endif

int main(void)
{
	printf("%ld\n", kernel());
	return 0;
}
