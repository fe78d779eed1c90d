/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: the results of a taskgroup are used before its end.
 * The wait is at the end of the taskgroup region (OpenMP 5.2, 15.4). The fixed one reads behind
 * it.
 */
int main(void)
{
	int parts[6] = {0};
	int sum = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		{
			for (int i = 0; i < 6; i++) {
#pragma omp task firstprivate(i) shared(parts)
				parts[i] = i + 1; /* race: write parts */
			}
#ifndef FIXED
			for (int i = 0; i < 6; i++)
				sum += parts[i]; /* race: read parts */
#endif
		}
#ifdef FIXED
		for (int i = 0; i < 6; i++)
			sum += parts[i];
#endif
	}
	return sum != 21;
}
