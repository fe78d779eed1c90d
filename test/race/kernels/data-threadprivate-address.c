/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: the address of one thread's copy of a threadprivate variable is given to all others.
 * Through it they read what its owner writes at the same time: being threadprivate (OpenMP 5.2,
 * 5.2) orders nothing. The fixed one hands on the value by copyprivate (5.7.2).
 */
static int setting;
#pragma omp threadprivate(setting)

int main(void)
{
	int wrong = 0;
#ifndef FIXED
	int *everyones = &setting;
#endif

#pragma omp parallel reduction(+ : wrong)
	{
#ifdef FIXED
#pragma omp single copyprivate(setting)
		setting = 7;
#else
#pragma omp masked
		setting = 7;                                   /* race: write setting */
		setting = *everyones; /* race: read setting */ /* race: write setting */
#endif
		wrong += setting != 7;
	}
	return wrong != 0;
}
