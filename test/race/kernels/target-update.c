/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target: the host reads what an update with nowait is to bring.
 * target update with nowait is a task (OpenMP 5.2, 13.9): the dependence orders it behind the
 * target region, but nothing orders both before the host's reads. The fixed one waits for them.
 */
int main(void)
{
	int a[30];
	int sum = 0;

	for (int i = 0; i < 30; i++)
		a[i] = 1;
#pragma omp target enter data map(to : a)
#pragma omp parallel
#pragma omp single
	{
#pragma omp target nowait depend(out : a) map(tofrom : a)
		for (int i = 0; i < 30; i++)
			a[i] = 2; /* race: write a */
#pragma omp target update from(a) nowait depend(in : a)
#ifdef FIXED
#pragma omp taskwait
#endif
		for (int i = 0; i < 30; i++)
			sum += a[i]; /* race: read a */
	}
#pragma omp target exit data map(delete : a)
	return sum != 60;
}
