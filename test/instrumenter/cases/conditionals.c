/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#define WITH_CRITICAL 1

int main(void)
{
	int x = 0, y = 0;

#if WITH_CRITICAL
#pragma omp parallel
#else
#pragma omp parallel num_threads(99)
#endif
	{
#ifdef NOT_DEFINED
#pragma omp atomic
		x++;
#elif WITH_CRITICAL
#pragma omp critical
		x++;
#endif
	}
	x = x > 0;
#pragma omp parallel num_threads(2)
#if WITH_CRITICAL
	{
#else
	if (x) {
#endif
#pragma omp atomic
		x++;
	}
#ifdef _OPENMP
#pragma omp parallel for
	for (int i = 0; i < 4; i++) {
#ifdef NOT_DEFINED
		x = }}}}
#else
#pragma omp atomic
		x += i;
#endif
	}
#endif
#ifdef _OPENMP
#pragma omp parallel for reduction(+:x) num_threads(2)
#endif
	for (int i = 0; i < 4; i++)
#if defined(_OPENMP)
#pragma omp critical
#endif
	{
		x += i;
#ifdef _OPENMP
# ifdef WITH_CRITICAL
#pragma omp atomic
# else
#pragma omp critical
# endif
#endif
		y++;
	}
#ifdef _OPENMP
#pragma omp parallel sections num_threads(2)
#endif
	{
#ifdef _OPENMP
#pragma omp section
#endif
		x++;
#ifdef _OPENMP
#pragma omp section
#endif
		y++;
	}
#ifdef _OPENMP
#pragma omp parallel for
	for (int i = 0; i < 4; i++)
#else
	for (int i = 3; i >= 0; i--)
#endif
#ifdef NOT_DEFINED
#pragma nothing
#endif
	{
#ifdef _OPENMP
#pragma omp atomic
#endif
		y++;
	}
	printf("%d %d\n", x, y);
	return 0;
}
