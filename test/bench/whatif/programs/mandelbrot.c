/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of the Mandelbrot set's upper half: what a line costs grows towards the middle. */
#include "program.h"

enum { WIDTH = 600, LINES = 600, MOST = 2000 };

static int line(int number)
{
	int sum = 0;

	for (int x = 0; x < WIDTH; x++) {
		double real = -2 + 2.6 * x / WIDTH, imaginary = 1.2 - 1.2 * number / LINES;
		double a = 0, b = 0;
		int turn = 0;
		for (; turn < MOST && a * a + b * b < 4; turn++) {
			double next = a * a - b * b + real;
			b = 2 * a * b + imaginary;
			a = next;
		}
		sum += turn;
	}
	return sum;
}

int main(void)
{
	long total = 0;

#pragma omp parallel for schedule(SCHEDULE) reduction(+ : total) // @loop
	for (int i = 0; i < LINES; i++)
		total += line(spread(i, LINES));
	printf("%ld\n", total);
	return 0;
}
