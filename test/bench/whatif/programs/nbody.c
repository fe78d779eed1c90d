/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that attract each other: all pairs, each pair once, so that the loop is triangular. */
#include "program.h"

#include <math.h>

enum { BODIES = 1500, STEPS = 60 };

static double position[BODIES][3], force[BODIES], speed[BODIES][3];

static double pull(int i)
{
	double sum = 0;

	for (int turn = 0; turn < 2 / FASTER; turn++)
		for (int j = i + 1; j < BODIES; j++) {
			double x = position[i][0] - position[j][0],
			       y = position[i][1] - position[j][1];
			double z = position[i][2] - position[j][2];
			sum += 1 / sqrt(x * x + y * y + z * z + 0.01);
		}
	return sum;
}

int main(void)
{
	for (unsigned i = 0; i < BODIES; i++)
		for (unsigned k = 0; k < 3; k++)
			position[i][k] = mixed(3 * i + k, 1000) / 1000.0;
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel
		{
#pragma omp for schedule(SCHEDULE) // @forces
			for (int i = 0; i < BODIES; i++) {
				int body = spread(i, BODIES);
				force[body] = pull(body);
			}
#pragma omp for // @moves
			for (int i = 0; i < BODIES; i++)
				for (int k = 0; k < 3; k++) {
					speed[i][k] += force[i] * 1e-6;
					position[i][k] += speed[i][k] * 1e-3;
				}
		}
	}
	printf("%g\n", position[0][0]);
	return 0;
}
