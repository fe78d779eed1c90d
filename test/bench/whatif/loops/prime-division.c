/* SPDX-License-Identifier: BSD-3-Clause */
/* Primes by trial division: composites are soon found, primes take the root of the number. */
#include <stdio.h>

enum { LIMIT = 4000000 };

static int is_prime(int number)
{
	for (int divisor = 3; divisor * divisor <= number; divisor += 2)
		if (number % divisor == 0)
			return 0;
	return 1;
}

int main(void)
{
	int count = 1;

#pragma omp parallel for reduction(+ : count) // @loop
	for (int number = 3; number < LIMIT; number += 2)
		count += is_prime(number);
	printf("%d\n", count);
	return 0;
}
