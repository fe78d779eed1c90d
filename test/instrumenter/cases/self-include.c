/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that includes itself has several directives per line, and headers amid its functions. */
#ifndef TYPE
#include <stdio.h>
#define TYPE int
#define NAME sum_int
#include "self-include.c"
#undef TYPE
#undef NAME
#define TYPE double
#define NAME sum_double
#include "self-include.c"

int main(void)
{
	int i[] = {1, 2, 3};
	double d[] = {0.5, 0.5, 1};

	printf("%d %g\n", sum_int(i, 3), sum_double(d, 3));
	return 0;
}
#else
static TYPE NAME(const TYPE *values, int count)
{
	TYPE sum = 0;

#pragma omp parallel for reduction(+:sum)
	for (int i = 0; i < count; i++)
		sum += values[i];
	return sum;
}
#endif
