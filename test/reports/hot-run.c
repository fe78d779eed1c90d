/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program whose shares are planted: of 8 parts of the work, each as long as the others, each of
 * two threads does 3 in heavy() and 1 in light(), which the loop's body calls.
 */
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) double heavy(long parts)
{
	volatile double value = 1;

	for (long i = 0; i < 3 * parts; i++)
		value = value * 1.0000001 + 1e-9; /* heavy line */
	return value;
}

static __attribute__((noinline)) double light(long parts)
{
	volatile double value = 1;

	for (long i = 0; i < parts; i++)
		value = value * 1.0000001 + 1e-9; /* light line */
	return value;
}

int main(int argc, char **argv)
{
	long parts = argc > 1 ? atol(argv[1]) : 1;
	double sum = 0;

#pragma omp parallel for reduction(+ : sum) num_threads(2) schedule(static, 1)
	for (int i = 0; i < 2; i++)
		sum += heavy(parts) + light(parts);
	printf("%g\n", sum);
	return 0;
}
