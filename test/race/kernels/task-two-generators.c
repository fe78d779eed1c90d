/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: each thread of the team generates a task that adds to the same variable.
 * Dependences order tasks of one parent only; here each thread's implicit task is one (OpenMP 5.2,
 * 15.9.5). The fixed tasks add atomically.
 */
#include <omp.h>

int main(void)
{
	int sum = 0;
	int members = 0;

#pragma omp parallel
	{
#pragma omp task depend(inout : sum) shared(sum)
		{
#ifdef FIXED
#pragma omp atomic
#endif
			sum += 5; /* race: write sum */
		}
#pragma omp single
		members = omp_get_num_threads();
	}
	return sum != 5 * members;
}
