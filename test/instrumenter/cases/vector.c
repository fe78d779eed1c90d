/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#pragma omp declare simd
static float twice(float x)
{
	return 2 * x;
}

int main(void)
{
	float a[64], b[64], sum = 0;
	int x = 0;

#pragma omp simd
	for (int i = 0; i < 64; i++)
		a[i] = i;
#pragma omp parallel
	{
#pragma omp for simd
		for (int i = 0; i < 64; i++)
			b[i] = twice(a[i]);
#pragma omp for order(concurrent)
		for (int i = 0; i < 64; i++)
			a[i] = b[i];
#pragma omp loop bind(parallel)
		for (int i = 0; i < 64; i++)
			a[i] += 1;
	}
#pragma omp parallel loop
	for (int i = 0; i < 64; i++)
		a[i] += 1;
#pragma omp simd
	for (int i = 0; i < 4; i++) {
#pragma omp ordered simd
		x += i;
	}
	for (int i = 0; i < 64; i++)
		sum += a[i];
	printf("%g %d\n", sum, x);
	return 0;
}
