/* SPDX-License-Identifier: BSD-3-Clause */
/* Exercise 4: the mean of the squares of some numbers, and the largest of them. */
#include <stdio.h>

enum { COUNT = 100000 };

static double values[COUNT];

struct sums {
	double squares, largest;
};

static void add(struct sums *sums, double value)
{
	if (value > sums->largest)
		sums->largest = value;
	sums->squares += value * value;
}

int main(void)
{
	struct sums sums = {0, 0};
	double scaled;

	for (int i = 0; i < COUNT; i++)
		values[i] = i % 1000;
#pragma omp parallel for
	for (int i = 0; i < COUNT; i++) {
		scaled = values[i] / 10;
		add(&sums, scaled);
	}
	printf("mean square %.2f, largest %.1f\n", sums.squares / COUNT, sums.largest);
	return 0;
}
