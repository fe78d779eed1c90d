/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target: data are entered by a task with nowait, and its source is changed behind it.
 * The mapping may copy at any time until a taskwait (OpenMP 5.2, 13.6 and 15.6), as may the
 * region that depends on it. The fixed one waits before the change.
 */
int main(void)
{
	int a[24];
	int sum = 0;

	for (int i = 0; i < 24; i++)
		a[i] = 1;
#pragma omp parallel
#pragma omp single
	{
#pragma omp target enter data map(to : a) nowait depend(out : a)
#pragma omp target map(tofrom : a, sum) nowait depend(in : a)
		for (int i = 0; i < 24; i++)
			sum += a[i]; /* race: read a */
#ifdef FIXED
#pragma omp taskwait
#endif
		a[5] = 100; /* race: write a */
#pragma omp taskwait
#pragma omp target exit data map(delete : a)
	}
	return sum != 24;
}
