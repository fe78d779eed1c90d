/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: the address of a task's own copy of a variable outlives the task.
 */
#include <sched.h>

static int *kept;

int main(void)
{
	int result = 0, number = 3; /* memory: declared */

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#ifdef FIXED
#pragma omp task shared(number)
#else
#pragma omp task firstprivate(number)
#endif
		kept = &number;
#pragma omp taskwait
		result = *kept; /* memory: read */
	}
	return result == 4;
}
