/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library: two sections sort overlapping parts of one array.
 * qsort reads and writes all elements of its part (OpenMP 5.2, 1.4.1): element 50 belongs to both.
 * The fixed parts do not overlap.
 */
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b; /* race: read numbers */
	return (left > right) - (left < right);
}

#ifdef FIXED
#define FIRST_LENGTH 50
#else
#define FIRST_LENGTH 51
#endif

int main(void)
{
	int numbers[100];
	int wrong = 0;

	for (int i = 0; i < 100; i++)
		numbers[i] = (i < 50 ? 49 : 149) - i;
#pragma omp parallel sections
	{
		qsort(numbers, FIRST_LENGTH, sizeof *numbers, compare); /* race: write numbers */
#pragma omp section
		qsort(numbers + 50, 50, sizeof *numbers, compare); /* race: write numbers */
	}
	for (int i = 0; i < 100; i++)
		wrong += numbers[i] != i;
	return wrong != 0;
}
