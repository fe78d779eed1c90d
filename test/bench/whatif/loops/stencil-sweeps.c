/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat in a plate, five points a cell: two even loops a step, one of them with the largest change.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 800, STEPS = 320 };

static double old[SIZE][SIZE], new[SIZE][SIZE];

int main(void)
{
	double change = 0;

	for (int i = 0; i < SIZE; i++)
		old[i][0] = new[i][0] = 100;
	for (int step = 0; step < STEPS; step++) {
		change = 0;
#pragma omp parallel
		{
#pragma omp for // @loop
			for (int i = 1; i < SIZE - 1; i++)
				for (int j = 1; j < SIZE - 1; j++)
					new[i][j] = 0.25 * (old[i - 1][j] + old[i + 1][j] +
							       old[i][j - 1] + old[i][j + 1]);
#pragma omp for reduction(max : change)
			for (int i = 1; i < SIZE - 1; i++) {
				for (int j = 1; j < SIZE - 1; j++)
					change = fmax(change, fabs(new[i][j] - old[i][j]));
				memcpy(old[i], new[i], sizeof old[i]);
			}
		}
	}
	printf("%.9f\n", change);
	return 0;
}
