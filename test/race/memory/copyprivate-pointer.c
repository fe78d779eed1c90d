/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: copyprivate hands the address of a variable on that ends with its block.
 */
#include <stdlib.h>

int main(void)
{
	int total = 0;

#pragma omp parallel num_threads(2) reduction(+ : total)
	{
		int *table;

#pragma omp single copyprivate(table)
		{
#ifdef FIXED
			static int values[4] = {1, 2, 3, 4};
#else
			int values[4] = {1, 2, 3, 4}; /* memory: declared */
#endif
			table = values;
		}
		total += table[2]; /* memory: read */
	}
	return total == 1;
}
