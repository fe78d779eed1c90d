/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: tasks add to the variable of a taskgroup's reduction, without taking part in it.
 * Only a task with in_reduction gets a private copy (OpenMP 5.2, 5.5.10); others use the original
 * list item. The fixed tasks have the clause.
 */
#ifdef FIXED
#define TAKES_PART in_reduction(+ : sum)
#else
#define TAKES_PART shared(sum)
#endif

int main(void)
{
	int sum = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
	{
		for (int i = 0; i < 50; i++) {
#pragma omp task TAKES_PART firstprivate(i)
			sum += i; /* race: write sum */
		}
	}
	return sum != 1225;
}
