/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: pi by random points, with a threadprivate generator for each thread.
 * The generators start from different values; the hits are reduced, and one thread after the other
 * adds its number of draws in a critical region.
 */
#include <math.h>
#include <omp.h>
#include <stdint.h>

enum { POINTS = 40000 };

static uint64_t state;
#pragma omp threadprivate(state)

static double draw(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 11) / 9007199254740992.0;
}

int main(void)
{
	long hits = 0, draws = 0;

#pragma omp parallel reduction(+ : hits)
	{
		long own = 0;

		state = 88172645463325252u + 977u * (uint64_t)omp_get_thread_num();
#pragma omp for schedule(dynamic, 500) nowait
		for (int i = 0; i < POINTS; i++) {
			double x = draw(), y = draw();

			hits += x * x + y * y < 1;
			own++;
		}
#pragma omp critical
		draws += own;
	}
	return draws != POINTS || fabs(4.0 * (double)hits / POINTS - 3.14159) > 0.1;
}
