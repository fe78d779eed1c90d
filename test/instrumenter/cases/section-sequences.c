/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

int main(void)
{
	int a = 0, b = 0;

#pragma omp parallel sections
	{
		a += 1;
		a++;
#pragma omp section
		b += 2;
#pragma omp critical
		b++;
	}
	printf("%d %d\n", a, b);
	return 0;
}
