/* SPDX-License-Identifier: BSD-3-Clause */
/* Random walks until they leave a strip: lengths differ by orders of magnitude, without a pattern.
 */
#include "chance.h"

#include <stdio.h>

enum { WALKS = 16000, HALF_WIDTH = 120 };

static long walk(int number)
{
	uint64_t state = (uint64_t)number * 977 + 3;
	long steps = 0;

	for (int at = 0; at > -HALF_WIDTH && at < HALF_WIDTH; steps++)
		at += chance_next(&state) & 1 ? 1 : -1;
	return steps;
}

int main(void)
{
	long total = 0, longest = 0;

#pragma omp parallel for reduction(+ : total) reduction(max : longest) // @loop
	for (int number = 0; number < WALKS; number++) {
		long steps = walk(number);
		total += steps;
		if (steps > longest)
			longest = steps;
	}
	printf("%ld %ld\n", total, longest);
	return 0;
}
