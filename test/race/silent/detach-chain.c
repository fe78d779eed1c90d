/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: detachable tasks that other tasks fulfill, and tasks that depend on them.
 * What is written before omp_fulfill_event is seen by the tasks that depend on the detachable task.
 */
#include <omp.h>

enum { LINKS = 12 };

static int messages[LINKS], replies[LINKS];

int main(void)
{
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < LINKS; i++) {
		omp_event_handle_t event;

#pragma omp task detach(event) depend(out : messages[i]) firstprivate(i)
		replies[i] = -1;
#pragma omp task firstprivate(i, event)
		{
			messages[i] = i + 1;
			omp_fulfill_event(event);
		}
#pragma omp task depend(in : messages[i]) firstprivate(i)
		replies[i] = 2 * messages[i];
	}
	for (int i = 0; i < LINKS; i++)
		wrong += replies[i] != 2 * (i + 1);
	return wrong != 0;
}
