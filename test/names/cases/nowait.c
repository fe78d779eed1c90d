/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops after loops that do not wait: only the next loop begins where one ends. */
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;

static void work(int amount)
{
	double x = amount;

	for (int i = 0; i < amount * 2000; i++)
		x = x * 0.999 + 1.0;
	sink = x;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 20;
	double *a = calloc((size_t)n, sizeof(*a)), total = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(static) nowait
		for (int i = 0; i < n; i++)
			a[i] = i;
#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < n; i++)
			a[i] += 1;
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < n; i++)
			work(1);
#pragma omp for schedule(runtime) nowait
		for (int i = 0; i < n; i++)
			work(1);
#pragma omp for schedule(static) nowait
		for (int i = 0; i < n; i++)
			work(1);
#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < n; i++)
			work(1);
#pragma omp for ordered schedule(dynamic) nowait
		for (int i = 0; i < n; i++) {
			work(1);
#pragma omp ordered
			total += i;
		}
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < n; i++)
			a[i] *= 2;
		work(3);
#pragma omp for schedule(runtime) nowait
		/* The iterations
		 * are few. */

		for (int i = 0; i < n; i++)
			a[i] *= 2;
		a[0] = 2;
#pragma omp for schedule(dynamic, 4) nowait
		for (int i = 0; i < n; i++)
			a[i] *= 2;
	}
	printf("%d\n", total > 0);
	free(a);
	return 0;
}
