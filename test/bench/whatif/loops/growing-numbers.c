/* SPDX-License-Identifier: BSD-3-Clause */
/* Squares of numbers with more and more digits, by hand: the work grows as the square of the index.
 */
#include <stdio.h>
#include <string.h>

enum { LONGEST = 1500 };

static unsigned digits_of_square(int length)
{
	unsigned long product[2 * LONGEST];
	unsigned number[LONGEST], sum = 0;

	memset(product, 0, sizeof product);
	for (int i = 0; i < length; i++)
		number[i] = (unsigned)(i * 7919 + length) % 10000;
	for (int i = 0; i < length; i++)
		for (int j = 0; j < length; j++)
			product[i + j] += number[i] * number[j];
	for (int i = 0; i < 2 * length; i++) {
		product[i + 1] += product[i] / 10000;
		sum += (unsigned)(product[i] % 10000);
	}
	return sum;
}

int main(void)
{
	unsigned total = 0;

#pragma omp parallel for reduction(+ : total) // @loop
	for (int length = 1; length < LONGEST; length++)
		total += digits_of_square(length);
	printf("%u\n", total);
	return 0;
}
