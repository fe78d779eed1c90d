/* SPDX-License-Identifier: BSD-3-Clause */
/* Outlined functions after functions that end in different ways. */
#include <stdio.h>
#include <stdlib.h>

struct pair {
	int i, j;
	double weight;
};

static __attribute__((cold, noreturn, noinline)) void fail(int i, int j)
{
	fprintf(stderr, "%d %d\n", i, j);
	exit(1);
}

/* What is cold is put apart, so that nothing stands between its end and the next function. */
static __attribute__((noinline)) void find_best(double *a, int n, struct pair *best)
{
	best->i = best->j = -1;
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < i; j++) {
			if (a[i] * a[j] > best->weight) {
				best->i = i;
				best->j = j;
				best->weight = a[i] * a[j];
			}
		}
	}
	if (best->i < 0 || best->j < 0)
		fail(best->i, best->j);
}

static void add_all(double *a, int n, double *sum)
{
#pragma omp parallel for schedule(dynamic, 5)
	for (int i = 0; i < n; i++) {
		if (a[i] < 0)
			continue;
#pragma omp critical
		*sum += a[i];
	}
}

static void print(const struct pair *best, double sum)
{
	if (best->i < 0)
		exit(1);
	printf("%d %d %g\n", best->i, best->j, sum);
}

static void halve_all(double *a, int n)
{
#pragma omp parallel for schedule(dynamic, 5)
	for (int i = 0; i < n; i++)
		a[i] /= 2;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 20;
	double *a = calloc((size_t)n, sizeof(*a)), sum = 0;
	struct pair best = {0};

#pragma omp parallel for
	for (int i = 0; i < n; i++)
		a[i] = i + 1;
	find_best(a, n, &best);
	add_all(a, n, &sum);
	print(&best, sum);
	halve_all(a, n);
	free(a);
	return 0;
}
