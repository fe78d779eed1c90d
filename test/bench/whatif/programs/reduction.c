/* SPDX-License-Identifier: BSD-3-Clause */
/* Pi by numeric integration: an even loop with a sum. */
#include "program.h"

enum { STEPS = 50, INTERVALS = 4000000 };

int main(void)
{
	double pi = 0;

	for (int step = 0; step < STEPS; step++) {
		double sum = 0;
#pragma omp parallel for schedule(SCHEDULE) reduction(+ : sum) // @loop
		for (int i = 0; i < INTERVALS / FASTER; i++) {
			double x = (i + 0.5) / INTERVALS;
			sum += 4 / (1 + x * x);
		}
		pi += sum / INTERVALS / STEPS;
	}
	printf("%.9f\n", pi);
	return 0;
}
