/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops that compilers vectorise, under every directive that can stand before them. vectorised.sh
 * compares what the compiler says of each line with and without instrumentation.
 */
#include <stdio.h>

enum { N = 4096 };

static float a[N], b[N], c[N];

#pragma omp declare simd notinbranch
static float twice(float x)
{
	return x + x;
}

static void worksharing(float s)
{
#pragma omp parallel for
	for (int i = 0; i < N; i++)
		a[i] = b[i] + s;
#pragma omp parallel for schedule(static, 256) firstprivate(s)
	for (int i = 0; i < N; i++)
		b[i] = a[i] * s;
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < N; i++)
			c[i] += a[i];
#pragma omp for nowait
		for (int i = 0; i < N; i++)
			a[i] += b[i];
#pragma omp single
		for (int i = 0; i < N; i++)
			b[i] += 1;
#pragma omp master
		for (int i = 0; i < N; i++)
			c[i] -= 1;
#pragma omp critical
		for (int i = 0; i < N; i++)
			c[i] *= 2;
	}
}

static float simd(float s)
{
	float sum = 0;

#pragma omp simd
	for (int i = 0; i < N; i++)
		a[i] = twice(b[i]) * s;
#pragma omp parallel for simd
	for (int i = 0; i < N; i++)
		b[i] = a[i] - s;
#pragma omp parallel
#pragma omp for simd schedule(simd : static)
	for (int i = 0; i < N; i++)
		c[i] = a[i] + b[i];
#pragma omp parallel for simd reduction(+ : sum)
	for (int i = 0; i < N; i++)
		sum += a[i] * b[i];
#pragma omp parallel for reduction(max : sum)
	for (int j = 0; j < 16; j++) {
#pragma omp simd reduction(max : sum)
		for (int i = 0; i < N / 16; i++)
			sum = sum > c[j * 16 + i] ? sum : c[j * 16 + i];
	}
	return sum;
}

static void others(float s)
{
#pragma omp parallel for order(concurrent)
	for (int i = 0; i < N; i++)
		a[i] += s;
#pragma omp parallel loop
	for (int i = 0; i < N; i++)
		b[i] += s;
#pragma omp parallel sections
	{
		for (int i = 0; i < N; i++)
			c[i] += s;
#pragma omp section
		for (int i = 0; i < N; i++)
			a[i] *= s;
	}
#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		for (int i = 0; i < N; i++)
			b[i] += c[i];
#pragma omp taskloop simd grainsize(512)
		for (int i = 0; i < N; i++)
			a[i] += 2;
#pragma omp taskgroup
#pragma omp taskloop num_tasks(4)
		for (int i = 0; i < N; i++)
			c[i] += 3;
	}
	for (int i = 0; i < N; i++)
		c[i] += a[i] + b[i];
}

static float no_directive(float s)
{
	for (int i = 0; i < N; i++)
		c[i] = c[i] * s + a[i];
	return c[7];
}

int main(void)
{
	float sum = 0;

	worksharing(2);
	sum += simd(3);
	others(1);
	sum += no_directive(2);
	printf("%g\n", sum);
	return 0;
}
