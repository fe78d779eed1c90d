/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: all threads of the team reach a taskloop that was meant for one of them.
 * A taskloop is no worksharing construct: each thread generates tasks for all iterations (OpenMP
 * 5.2, 12.6). In the fixed one a single region generates them.
 */
static int counts[40];

int main(void)
{
	int wrong = 0;

#pragma omp parallel
	{
#ifdef FIXED
#pragma omp single
#endif
#pragma omp taskloop
		for (int i = 0; i < 40; i++)
			counts[i] += 1; /* race: write counts */
	}
	for (int i = 0; i < 40; i++)
		wrong += counts[i] != 1;
	return wrong != 0;
}
