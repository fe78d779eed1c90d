/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks: a child sees what was written before its creation, its parent after taskwait what it
 * wrote. */
#include "plant.h"

static int before[40];
static int after[40];

int main(void)
{
	int here = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	{
		for (int i = 0; i < 40; i++) {
			before[i] = i;
#pragma omp task
			{
				if (i == 0)
					wait_if_planted(&here, 2);
				after[i] = before[i] + 1;
			}
		}
		wait_if_planted(&here, 2);
		SYNCHRONISE("omp taskwait")
		for (int i = 0; i < 40; i++)
			CHECK_RESULT(after[i], i + 1);
	}
	return check_result();
}
