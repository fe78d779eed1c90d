/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: a sum over a taskloop without reduction clause.
 * The sum is shared by the tasks. The fixed construct has the clause (OpenMP 5.2, 12.6 and 5.5.8).
 */
#ifdef FIXED
#define SUM reduction(+ : sum)
#else
#define SUM shared(sum)
#endif

int main(void)
{
	int sum = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(8) SUM
	for (int i = 0; i < 200; i++)
		sum += i; /* race: write sum */
	return sum != 19900;
}
