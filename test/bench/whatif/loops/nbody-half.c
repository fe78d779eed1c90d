/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces between bodies, each pair once: partial sums for each thread, added by a second loop. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { BODIES = 1600, STEPS = 100, THREADS = 64 };

static double x[BODIES], v[BODIES], part[THREADS][BODIES];

int main(void)
{
	double sum = 0;

	for (int i = 0; i < BODIES; i++)
		x[i] = sin(i) * 10 + i * 0.01;
	for (int step = 0; step < STEPS; step++) {
		memset(part, 0, sizeof part);
#pragma omp parallel
		{
			double *force = part[omp_get_thread_num()];
#pragma omp for // @loop
			for (int i = 0; i < BODIES; i++)
				for (int j = 0; j < i; j++) {
					double apart = x[i] - x[j];
					double pull = apart / (sqrt(apart * apart + 0.01) *
								  (apart * apart + 0.01));
					force[i] -= pull;
					force[j] += pull;
				}
#pragma omp for
			for (int i = 0; i < BODIES; i++) {
				for (int thread = 0; thread < omp_get_num_threads(); thread++)
					v[i] += 1e-6 * part[thread][i];
				x[i] += v[i];
			}
		}
	}
	for (int i = 0; i < BODIES; i++)
		sum += x[i];
	printf("%.6f\n", sum);
	return 0;
}
