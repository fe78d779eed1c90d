/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

int main(void)
{
	int sum = 0;

#pragma omp inst begin(loop)
	for (int i = 0; i < 5; i++)
		sum += i;
#pragma omp inst end(loop)
	printf("%d\n", sum);
	return 0;
}
