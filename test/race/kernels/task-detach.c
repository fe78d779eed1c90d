/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a detachable task's event is fulfilled before its result is written.
 * The task is complete once its event is fulfilled (OpenMP 5.2, 12.5.2): tasks that depend on it
 * may begin. The fixed one writes before.
 */
#include <omp.h>

int main(void)
{
	int result = 0;
	int copy = 0;
	int other = 0;

#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t event;

#pragma omp task detach(event) depend(out : result) shared(other)
		other = 1;
#pragma omp task firstprivate(event) shared(result)
		{
#ifdef FIXED
			result = 21;
			omp_fulfill_event(event);
#else
			omp_fulfill_event(event);
			result = 21; /* race: write result */
#endif
		}
#pragma omp task depend(in : result) shared(result, copy)
		copy = result; /* race: read result */
	}
	return other != 1 || copy != 21;
}
