/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of very different lengths are sorted by the C library. */
#include "chance.h"

#include <stdio.h>
#include <stdlib.h>

enum { LISTS = 500 };

static int compare(const void *left, const void *right)
{
	unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;

	return a < b ? -1 : a > b;
}

static unsigned middle_of(int list)
{
	uint64_t state = (uint64_t)list * 7 + 1;
	int length = 1000 + (int)(chance_next(&state) % 30000) * (list % 10 == 3 ? 5 : 1) / 2;
	unsigned *numbers = malloc(sizeof *numbers * (size_t)length), middle;

	for (int i = 0; i < length; i++)
		numbers[i] = chance_next(&state);
	qsort(numbers, (size_t)length, sizeof *numbers, compare);
	middle = numbers[length / 2];
	free(numbers);
	return middle;
}

int main(void)
{
	unsigned total = 0;

#pragma omp parallel for reduction(+ : total) // @loop
	for (int list = 0; list < LISTS; list++)
		total += middle_of(list);
	printf("%u\n", total);
	return 0;
}
