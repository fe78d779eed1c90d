/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

extern inline int twice(int x);

inline int twice(int x)
{
#pragma omp critical
	x *= 2;
	return x;
}

static inline int thrice(int x)
{
#pragma omp critical
	x *= 3;
	return x;
}

int main(void)
{
	printf("%d\n", twice(thrice(7)));
	return 0;
}
