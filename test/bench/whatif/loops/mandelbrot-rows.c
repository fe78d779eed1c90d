/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the Mandelbrot set: those through its body take hundreds of times those at the border. */
#include <stdio.h>

enum { ROWS = 960, COLUMNS = 960, LIMIT = 1000 };

static int steps_at(double re, double im)
{
	double x = 0, y = 0;
	int steps = 0;

	for (; steps < LIMIT && x * x + y * y < 4; steps++) {
		double next = x * x - y * y + re;
		y = 2 * x * y + im;
		x = next;
	}
	return steps;
}

int main(void)
{
	long total = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : total) // @loop
	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++)
			total += steps_at(-2.2 + 3.2 * column / COLUMNS, -1.6 + 3.2 * row / ROWS);
	printf("%ld\n", total);
	return 0;
}
