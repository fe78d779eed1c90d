/* SPDX-License-Identifier: BSD-3-Clause */
/* Taskwait with depend: what the awaited sibling wrote is seen after it. */
#include "plant.h"

int main(void)
{
	int value = 0;
	int other = 0;
	int here = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (int round = 1; round <= 20; round++) {
#pragma omp task depend(out : value)
		{
			if (round == 1)
				wait_if_planted(&here, 2);
			value = round;
		}
#pragma omp task depend(out : other)
		other = round;
		if (round == 1)
			wait_if_planted(&here, 2);
		SYNCHRONISE("omp taskwait depend(in : value)")
		CHECK_RESULT(value, round);
	}
	CHECK_RESULT(other, 20);
	return check_result();
}
