/* SPDX-License-Identifier: BSD-3-Clause */
/* Detach: what was written before the event's fulfilment is seen by those who waited for the task.
 */
#include "plant.h"

int main(void)
{
	int value = 0;
	int here = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (int round = 1; round <= 10; round++) {
		omp_event_handle_t event;

#pragma omp task detach(event)
		dawdle(10);
#pragma omp task firstprivate(event)
		{
			if (round == 1)
				wait_if_planted(&here, 2);
			value = round;
			omp_fulfill_event(event);
		}
		if (round == 1)
			wait_if_planted(&here, 2);
		SYNCHRONISE("omp taskwait")
		CHECK_RESULT(value, round);
	}
	return check_result();
}
