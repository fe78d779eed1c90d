/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans: what is combined stays so, with calls around it. (clang 19 computes garbage from scans of a
 * `for` that is not combined with its parallel, with ompinst or without; gcc's are in combined.c.)
 */
#include <stdio.h>

enum { N = 64 };

static int values[N], hits;

static void count(void)
{
#pragma omp atomic
	hits++;
}

static int inclusive(int n)
{
	int sum = 0;

#pragma omp parallel for reduction(inscan, + : sum) if (n > 1) default(none) shared(values, hits, n)
	for (int i = 0; i < n; i++) {
		sum += i;
#pragma omp scan inclusive(sum)
		values[i] = sum;
#pragma omp critical
		hits++;
	}
	return sum;
}

static int exclusive(int n)
{
	int sum = 0, largest = 0;

#pragma omp parallel for reduction(inscan, + : sum) firstprivate(n)
	for (int i = 0; i < n; i++) {
		values[i] = sum;
		count();
#pragma omp scan exclusive(sum)
		sum += i;
	}
	if (n > 2)
#pragma omp parallel for simd reduction(inscan, max : largest)
		for (int i = 0; i < n; i++) {
			largest = values[i] > largest ? values[i] : largest;
#pragma omp scan inclusive(largest)
			values[i] = largest;
		}
	else
		sum = 0;
	return sum + largest;
}

int main(void)
{
	int first = inclusive(N), middle = values[10];

	printf("%d %d ", first, middle);
	first = exclusive(N);
	printf("%d %d %d ", first, values[0], values[N - 1]);
#pragma omp parallel num_threads(1)
	first = inclusive(N);
	printf("%d %d\n", first, hits);
	return 0;
}
