/* SPDX-License-Identifier: BSD-3-Clause */
/* A sieve in segments: each needs the primes up to its root, so later ones cross out more. */
#include <stdio.h>
#include <string.h>

enum { SEGMENT = 1 << 16, SEGMENTS = 4500, ROOT = 20000 };

static int primes[ROOT], primes_count;

static int count_primes(long from)
{
	char crossed[SEGMENT];
	int count = 0;

	memset(crossed, 0, sizeof crossed);
	for (int i = 0; i < primes_count && (long)primes[i] * primes[i] < from + SEGMENT; i++) {
		long first = (from + primes[i] - 1) / primes[i] * primes[i];
		if (first < (long)primes[i] * primes[i])
			first = (long)primes[i] * primes[i];
		for (long at = first; at < from + SEGMENT; at += primes[i])
			crossed[at - from] = 1;
	}
	for (int i = 0; i < SEGMENT; i++)
		count += !crossed[i];
	return count;
}

int main(void)
{
	int total = 0;

	for (int n = 2; n < ROOT; n++) {
		int is_prime = 1;
		for (int i = 0; is_prime && i < primes_count && primes[i] * primes[i] <= n; i++)
			is_prime = n % primes[i] != 0;
		if (is_prime)
			primes[primes_count++] = n;
	}
#pragma omp parallel for reduction(+ : total) schedule(static, 8) // @loop
	for (int segment = 1; segment < SEGMENTS; segment++)
		total += count_primes((long)segment * SEGMENT);
	printf("%d\n", total);
	return 0;
}
