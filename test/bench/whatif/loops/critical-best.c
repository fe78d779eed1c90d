/* SPDX-License-Identifier: BSD-3-Clause */
/* The best of many descents from random places; each compares its result within a critical. */
#include "chance.h"

#include <math.h>
#include <stdio.h>

enum { STARTS = 6000 };

static double height(double x)
{
	return x * x * 0.01 + sin(3 * x) + 0.5 * cos(7 * x);
}

static double descend(double x)
{
	double step = 0.1;

	while (step > 1e-9) {
		if (height(x + step) < height(x))
			x += step;
		else if (height(x - step) < height(x))
			x -= step;
		else
			step *= 0.98;
	}
	return x;
}

int main(void)
{
	double best = 1e9, best_at = 0;

#pragma omp parallel for schedule(dynamic) // @loop
	for (int start = 0; start < STARTS; start++) {
		uint64_t state = (uint64_t)start * 101;
		double at = descend(chance_real(&state) * 40 - 20);
#pragma omp critical
		if (height(at) < best) {
			best = height(at);
			best_at = at;
		}
	}
	printf("%.6f %.6f\n", best, fabs(best_at));
	return 0;
}
