/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings before, inside, behind and on the lines of constructs: they keep line and column. */
#include <stdio.h>

int main(void)
{
	int unused1;
	double d = 1.5; int x = d;

#pragma omp parallel for reduction(+:x)
	for (int i = 0; i < 4; i++) { x += d; } int unused2; x = d;
#pragma omp parallel
	{ int unused3; x = d;
#pragma omp single
		{ x = d; } { int unused4; x = d; }
		int unused5;
#pragma omp barrier
		x = d;
#pragma omp sections
		{ x = d;
#pragma omp section
			{ int unused6; x = d; } } int unused7;
	} x = d; int unused8;
	if (x)
#pragma omp critical
		x = d; else x = d; int unused9;
#pragma pomp inst begin(r)
	x = d;
#pragma pomp inst end(r)
	printf("%d\n", x); return d;
}
