/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of Fibonacci numbers by the definition: each entry costs 1.6 times the one before. */
#include <stdio.h>

enum { ENTRIES = 41 };

static long fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
	long table[ENTRIES], sum = 0;
	double ratio;

#pragma omp parallel for // @loop
	for (int n = 0; n < ENTRIES; n++)
		table[n] = fibonacci(n);
	for (int n = 0; n < ENTRIES; n++)
		sum += table[n];
	ratio = (double)table[ENTRIES - 1] / (double)table[ENTRIES - 2];
	printf("%ld %.9f\n", sum, ratio);
	return 0;
}
