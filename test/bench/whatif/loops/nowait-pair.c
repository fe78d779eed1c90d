/* SPDX-License-Identifier: BSD-3-Clause */
/* Two independent fields are advanced without a barrier between: one with falling, one with even
 * costs. */
#include <math.h>
#include <stdio.h>

enum { SIZE = 512, STEPS = 150 };

static double electric[SIZE], magnetic[SIZE];

static double advance(double value, int terms)
{
	for (int i = 1; i <= terms; i++)
		value = value * 0.999 + 1.0 / i;
	return value;
}

int main(void)
{
	double sum = 0;

#pragma omp parallel
	for (int step = 0; step < STEPS; step++) {
#pragma omp for schedule(dynamic, 8) nowait // @loop
		for (int i = 0; i < SIZE; i++)
			electric[i] = advance(electric[i], 6 * (SIZE - i));
#pragma omp for schedule(dynamic, 8)
		for (int i = 0; i < SIZE; i++)
			magnetic[i] = advance(magnetic[i], 1200);
	}
	for (int i = 0; i < SIZE; i++)
		sum += electric[i] - magnetic[i];
	printf("%.9f\n", sum);
	return 0;
}
