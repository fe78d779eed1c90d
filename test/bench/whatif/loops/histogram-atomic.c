/* SPDX-License-Identifier: BSD-3-Clause */
/* A histogram of the digits' sums of numbers in blocks, with an atomic for each block's result. */
#include <stdio.h>

enum { BLOCKS = 20000, BLOCK = 4000, BINS = 64 };

static int bins[BINS];

static int digits_of(int number)
{
	int sum = 0;

	for (; number > 0; number /= 10)
		sum += number % 10;
	return sum;
}

int main(void)
{
	long mixed = 0;

#pragma omp parallel for // @loop
	for (int block = 0; block < BLOCKS; block++) {
		int sum = 0;
		for (int i = 0; i < BLOCK; i++)
			sum += digits_of(block * BLOCK + i);
#pragma omp atomic
		bins[sum % BINS]++;
	}
	for (int bin = 0; bin < BINS; bin++)
		mixed = mixed * 31 % 1000003 + bins[bin];
	printf("%ld\n", mixed);
	return 0;
}
