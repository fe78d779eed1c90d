/* SPDX-License-Identifier: BSD-3-Clause */
/* Queens on a board: the first two rows are divided among threads; attacked pairs have no work. */
#include <stdio.h>

enum { SIZE = 15 };

static int place(unsigned columns, unsigned left, unsigned right, int row)
{
	int found = 0;

	if (row == SIZE)
		return 1;
	for (unsigned open = ~(columns | left | right) & ((1u << SIZE) - 1); open;
	     open &= open - 1) {
		unsigned here = open & -open;
		found += place(columns | here, (left | here) << 1, (right | here) >> 1, row + 1);
	}
	return found;
}

int main(void)
{
	int found = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : found) // @loop
	for (int pair = 0; pair < SIZE * SIZE; pair++) {
		unsigned first = 1u << pair / SIZE, second = 1u << pair % SIZE;
		if (!((first | first << 1 | first >> 1) & second))
			found += place(first | second, (first << 1 | second) << 1,
			    (first >> 1 | second) >> 1, 2);
	}
	printf("%d\n", found);
	return 0;
}
