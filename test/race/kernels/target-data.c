/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target: within a target data region the host changes an array beside a target task.
 * target data orders nothing (OpenMP 5.2, 13.5), and the region with nowait may run at any time
 * until the taskwait. In the fixed one the host writes behind it.
 */
int main(void)
{
	double field[50] = {0};
	double sum = 0;

#pragma omp target data map(tofrom : field)
	{
#pragma omp target nowait map(tofrom : field)
		for (int i = 0; i < 50; i++)
			field[i] += 1; /* race: write field */
#ifdef FIXED
#pragma omp taskwait
#endif
		field[25] = 0; /* race: write field */
#pragma omp taskwait
#pragma omp target update to(field)
	}
	for (int i = 0; i < 50; i++)
		sum += field[i];
	return sum != 49;
}
