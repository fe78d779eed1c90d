/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: two tasks with different parents name the same list item.
 * Only sibling tasks are ordered by dependences (OpenMP 5.2, 15.9.5). In the fixed one the parents
 * have the dependence as well, and each waits for its child.
 */
#ifdef FIXED
#define PARENT depend(inout : value)
#define WAIT   _Pragma("omp taskwait")
#else
#define PARENT shared(value)
#define WAIT
#endif

int main(void)
{
	int value = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task PARENT
		{
#pragma omp task depend(out : value)
			value += 1; /* race: write value */
			WAIT
		}
#pragma omp task PARENT
		{
#pragma omp task depend(inout : value)
			value += 10; /* race: write value */
			WAIT
		}
	}
	return value != 11;
}
