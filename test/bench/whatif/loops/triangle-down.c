/* SPDX-License-Identifier: BSD-3-Clause */
/* All pairs of points i < j closer than a distance: each point looks at those behind it. */
#include "chance.h"

#include <stdio.h>

enum { POINTS = 30000 };

static float x[POINTS], y[POINTS], z[POINTS];

int main(void)
{
	uint64_t state = 5;
	long pairs = 0;

	for (int i = 0; i < POINTS; i++) {
		x[i] = (float)chance_real(&state);
		y[i] = (float)chance_real(&state);
		z[i] = (float)chance_real(&state);
	}
#pragma omp parallel for reduction(+ : pairs) // @loop
	for (int i = 0; i < POINTS; i++) {
		int near = 0;
		for (int j = i + 1; j < POINTS; j++) {
			float dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
			near += dx * dx + dy * dy + dz * dz < 0.01f;
		}
		pairs += near;
	}
	printf("%ld\n", pairs);
	return 0;
}
