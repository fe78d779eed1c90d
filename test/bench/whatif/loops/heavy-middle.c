/* SPDX-License-Identifier: BSD-3-Clause */
/* Time steps of a source that bursts once: the forty slices around the burst need a fine
 * quadrature. */
#include <math.h>
#include <stdio.h>

enum { SLICES = 2000, COARSE = 200, FINE = 40000 };

static double quadrature(double from, double to, int points)
{
	double step = (to - from) / points, sum = 0;

	for (int i = 0; i < points; i++) {
		double at = from + (i + 0.5) * step;
		sum += step / (1e-6 + (at - 0.53) * (at - 0.53));
	}
	return sum;
}

int main(void)
{
	double total = 0;

	for (int wave = 0; wave < 300; wave++) {
#pragma omp parallel for reduction(+ : total) // @loop
		for (int slice = 0; slice < SLICES; slice++) {
			double from = (double)slice / SLICES;
			int is_near = fabs(from - 0.53) < 0.01;
			total +=
			    quadrature(from, from + 1.0 / SLICES, is_near ? FINE / 10 : COARSE);
		}
	}
	printf("%.3f\n", total);
	return 0;
}
