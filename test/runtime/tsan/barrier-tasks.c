/* SPDX-License-Identifier: BSD-3-Clause */
/* A barrier completes the team's tasks: all members see what they wrote. */
#include "plant.h"

static int values[30];

int main(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int round = 1; round <= 20; round++) {
#pragma omp single nowait
		for (int i = 0; i < 30; i++) {
#pragma omp task
			values[i] = round;
		}
		SYNCHRONISE("omp barrier")
		for (int i = 0; i < 30; i++)
			CHECK_RESULT(values[i], round);
		SYNCHRONISE("omp barrier")
	}
	return check_result();
}
