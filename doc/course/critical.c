/* SPDX-License-Identifier: BSD-3-Clause */
/* Exercise 3: counts how many steps of the Collatz sequence each number takes, in a histogram. */
#include <stdio.h>

enum { NUMBERS = 400000, BINS = 64 };

static long histogram[BINS];

static int bin_of(unsigned long number)
{
	int steps = 0;

	for (; number != 1; steps++)
		number = number % 2 ? 3 * number + 1 : number / 2;
	return steps < 8 * BINS ? steps / 8 : BINS - 1;
}

int main(void)
{
	long all = 0;

#pragma omp parallel for schedule(dynamic, 1000)
	for (unsigned long number = 1; number <= NUMBERS; number++) {
		int bin = bin_of(number);

#pragma omp critical(histogram)
		histogram[bin]++;
	}
	for (int bin = 0; bin < BINS; bin++)
		all += histogram[bin];
	printf("%ld numbers, %ld of them with fewer than 8 steps\n", all, histogram[0]);
	return 0;
}
