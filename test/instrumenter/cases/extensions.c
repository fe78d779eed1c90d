/* SPDX-License-Identifier: BSD-3-Clause */
/* A function in a function, which libclang takes for an error and whose statements it may drop. */
#include <stdio.h>

static int outer(int n)
{
	int add(int x)
	{
#pragma omp critical
		n += x;
		return n;
	}
	return add(1);
}

int main(void)
{
	printf("%d\n", outer(2));
	return 0;
}
