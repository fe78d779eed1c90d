/* SPDX-License-Identifier: BSD-3-Clause */
/* Exercise 1: counts the pairs of points that are close to each other. */
#include <math.h>
#include <stdio.h>

enum { POINTS = 5000 };

static double x[POINTS], y[POINTS];

/* A small linear congruential generator: the same points everywhere. */
static double next_coordinate(void)
{
	static unsigned long long state = 20;

	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (double)(state >> 11) / 9007199254740992.0;
}

int main(void)
{
	long close = 0;

	for (int i = 0; i < POINTS; i++) {
		x[i] = next_coordinate();
		y[i] = next_coordinate();
	}
#pragma omp parallel for schedule(static) reduction(+ : close)
	for (int i = 0; i < POINTS; i++) {
		for (int j = i + 1; j < POINTS; j++)
			close += hypot(x[i] - x[j], y[i] - y[j]) < 0.02;
	}
	printf("%ld pairs\n", close);
	return 0;
}
