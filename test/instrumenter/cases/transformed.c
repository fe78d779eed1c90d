/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that are transformed under a work-sharing directive; gcc 12 has none of these. */
#include <stdio.h>

int main(void)
{
	int a[16][16], sum = 0;

#pragma omp parallel for collapse(2)
#pragma omp tile sizes(4, 4)
	for (int i = 0; i < 16; i++)
		for (int j = 0; j < 16; j++)
			a[i][j] = i * j;
#pragma omp parallel
	{
#pragma omp for reduction(+ : sum)
#pragma omp unroll partial(4)
		for (int i = 0; i < 16; i++)
			for (int j = 0; j < 16; j++)
				sum += a[i][j];
#pragma omp for reduction(+ : sum)
#pragma omp reverse
		for (int i = 0; i < 16; i++)
			sum += a[i][1];
#pragma omp single
#pragma omp unroll full
		for (int i = 0; i < 4; i++)
			sum += i;
#pragma omp metadirective when(user = {condition(1)} : barrier) default(nothing)
	}
	printf("%d\n", sum);
	return 0;
}
