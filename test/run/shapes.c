/* SPDX-License-Identifier: BSD-3-Clause */
/* Where directives stand in ordinary code: unbraced branches, cases, labels, macros, loops. */
#include <stdio.h>
#include <stdlib.h>

#define PRAGMA(text) _Pragma(#text)
/* clang-format off */
#define PARALLEL_SUM(target, n)                         \
	PRAGMA(omp parallel for reduction(+ : target))  \
	for (int i_ = 0; i_ < (n); i_++)                \
		target += i_
/* clang-format on */
#define THREADS(n) num_threads(n)

static int branches(int n)
{
	int sum = 0;

	if (n > 2)
#pragma omp parallel for reduction(+ : sum)
		for (int i = 0; i < n; i++)
			sum += i;
	else
#pragma omp parallel reduction(+ : sum) num_threads(2)
		sum += 0;
	switch (n) {
	case 3:
#pragma omp parallel
#pragma omp single
		sum += 100;
		break;
	default:
#pragma omp critical
		sum += 200;
	}
	/* A directive that continues in a second line. */
	/* clang-format off */
	for (int i = 0; i < 3; i++)
#pragma omp parallel for reduction(+ : sum) /* a comment */ schedule( \
    static)
		/* clang-format on */
		for (int j = 0; j < 4; j++)
			sum += j;
	while (sum % 7)
#pragma omp atomic
		sum++;
	do
#pragma omp parallel
#pragma omp master
		sum--;
	while (sum % 5);
	return sum;
}

static int macros(void)
{
	int sum = 0;

	PARALLEL_SUM(sum, 10);
#pragma omp parallel THREADS(2) reduction(+ : sum)
	sum += 0;
	return sum;
}

static int early_exit(int n)
{
	for (int i = 0; i < n; i++) {
		int stop = 0;

#pragma omp parallel reduction(| : stop)
		{
			stop |= i == 3;
		}
		if (stop)
			return i;
	}
	return -1;
}

int main(void)
{
	int digraph = 0;

	/* clang-format knows no digraphs. */
	/* clang-format off */
%:pragma omp parallel reduction(+ : digraph)
	/* clang-format on */
	digraph += 0;
	printf("%d %d %d %d %d\n", branches(3), branches(9), branches(1), macros(),
	    early_exit(9) + digraph);
#pragma pomp inst begin(tail)
	printf("tail\n");
#pragma pomp inst end(tail)
	return 0;
}
