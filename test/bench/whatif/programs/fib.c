/* SPDX-License-Identifier: BSD-3-Clause */
/* Fibonacci numbers by tasks of too small a grain: below the cutoff a task calls itself. */
#include "program.h"

#ifndef CUTOFF
#define CUTOFF 15
#endif

static __attribute__((noinline)) long alone(int n)
{
	return n < 2 ? n : alone(n - 1) + alone(n - 2);
}

static long fib(int n)
{
	long one, other;

	if (n < CUTOFF)
		return alone(n);
#pragma omp task shared(one) // @task
	one = fib(n - 1);
	other = fib(n - 2);
#pragma omp taskwait
	return one + other;
}

int main(void)
{
	long result = 0;

#pragma omp parallel // @parallel
#pragma omp single
	result = fib(40);
	printf("%ld\n", result);
	return 0;
}
