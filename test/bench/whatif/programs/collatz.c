/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths of Collatz sequences: irregular iterations, and more work in the second half. */
#include "program.h"

enum { COUNT = 600000, STEPS = 3 };

static unsigned length(unsigned long number)
{
	unsigned steps = 0;

	for (; number != 1; steps++)
		number = number % 2 ? 3 * number + 1 : number / 2;
	return steps;
}

int main(void)
{
	unsigned long total = 0;

	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for schedule(SCHEDULE) reduction(+ : total) // @loop
		for (int i = 1; i < COUNT; i++) {
			int repeats = i > COUNT / 2 ? 3 : 1;
			for (int turn = 0; turn < repeats; turn++)
				total += length((unsigned long)i + (unsigned long)turn);
		}
	}
	printf("%lu\n", total);
	return 0;
}
