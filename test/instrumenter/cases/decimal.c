/* SPDX-License-Identifier: BSD-3-Clause */
/* Decimal numbers, which libclang takes for errors and whose statements it may drop. */
#include <stdio.h>

static int decimal(void)
{
	_Decimal64 d = 1;
	int n = 0;

#pragma omp parallel num_threads(2)
#pragma omp critical
	d += 1.5DD;
#pragma omp parallel for reduction(+:n)
	for (int i = 0; i < 4; i++)
		n += d > i;
	return n;
}

int main(void)
{
	printf("%d\n", decimal());
	return 0;
}
