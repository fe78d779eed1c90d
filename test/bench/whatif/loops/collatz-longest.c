/* SPDX-License-Identifier: BSD-3-Clause */
/* The longest Collatz sequence: many irregular iterations of some hundred nanoseconds. */
#include <stdio.h>

enum { COUNT = 2500000 };

static int length(long number)
{
	int steps = 0;

	for (; number != 1; steps++)
		number = number % 2 ? 3 * number + 1 : number / 2;
	return steps;
}

int main(void)
{
	int longest = 0;

#pragma omp parallel for reduction(max : longest) // @loop
	for (int start = 1; start < COUNT; start++) {
		int steps = length(start);
		if (steps > longest)
			longest = steps;
	}
	printf("%d\n", longest);
	return 0;
}
