/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target: the host uses the result of a region with nowait within the taskgroup.
 * The target task is complete at the end of the group (OpenMP 5.2, 15.4). The fixed one uses it
 * there.
 */
int main(void)
{
	double field[30];
	double first = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		{
#pragma omp target nowait map(from : field)
			for (int i = 0; i < 30; i++)
				field[i] = 2 * i; /* race: write field */
#ifndef FIXED
			first = field[0]; /* race: read field */
#endif
		}
#ifdef FIXED
		first = field[0];
#endif
	}
	return first < 0;
}
