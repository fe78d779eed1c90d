/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: the tasks of a parallel region add to a variable of its reduction.
 * Without the task modifier explicit tasks do not take part in a reduction of the region (OpenMP
 * 5.2, 5.5.8 and 5.5.10): they find the thread's copy as a shared variable. The fixed one has
 * the modifier and in_reduction.
 */
#ifdef FIXED
#define OF_REGION reduction(task, + : sum)
#define OF_TASK   in_reduction(+ : sum)
#else
#define OF_REGION reduction(+ : sum)
#define OF_TASK   shared(sum)
#endif

int main(void)
{
	int sum = 0;

#pragma omp parallel OF_REGION
	{
#pragma omp single
		for (int i = 0; i < 40; i++) {
#pragma omp task OF_TASK firstprivate(i)
			sum += i; /* race: write sum */
		}
	}
	return sum != 780;
}
