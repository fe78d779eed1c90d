/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a taskwait with depend waits for one of two tasks, and both results are read.
 * It waits for the tasks on which it depends only (OpenMP 5.2, 15.5). The fixed one names both.
 */
int main(void)
{
	int first = 0, second = 0;
	int sum = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : first) shared(first)
		first = 3;
#pragma omp task depend(out : second) shared(second)
		second = 4; /* race: write second */
#ifdef FIXED
#pragma omp taskwait depend(in : first, second)
#else
#pragma omp taskwait depend(in : first)
#endif
		sum = first + second; /* race: read second */
	}
	return sum != 7;
}
