/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: behind sections with nowait the team uses their results.
 * nowait removes the barrier at the end of the construct (OpenMP 5.2, 11.3 and 15.6). The fixed
 * one keeps it.
 */
int main(void)
{
	int low = 0, high = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
#ifdef FIXED
#pragma omp sections
#else
#pragma omp sections nowait
#endif
		{
			low = 10; /* race: write low */
#pragma omp section
			high = 20; /* race: write high */
		}
		wrong += high - low != 10; /* race: read low */ /* race: read high */
	}
	return wrong != 0;
}
