/* SPDX-License-Identifier: BSD-3-Clause */
/* Pi as two integrals at once: an even loop of many short iterations with two sums. */
#include <math.h>
#include <stdio.h>

enum { INTERVALS = 120000000 };

static double circle(double x)
{
	return 4 * sqrt(1 - x * x);
}

static double arc(double x)
{
	return 4 / (1 + x * x);
}

int main(void)
{
	double first = 0, second = 0;

#pragma omp parallel for reduction(+ : first, second) // @loop
	for (int i = 0; i < INTERVALS; i++) {
		double x = (i + 0.5) / INTERVALS;
		first += circle(x);
		second += arc(x);
	}
	printf("%.8f %.8f\n", first / INTERVALS, second / INTERVALS);
	return 0;
}
