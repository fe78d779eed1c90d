/* SPDX-License-Identifier: BSD-3-Clause */
/* Many constructs of a kind in one function, some in inlined ones; tasks in loops. */
#include <stdio.h>
#include <stdlib.h>

static inline __attribute__((always_inline)) void add(double *to, double value)
{
#pragma omp critical(adding)
	*to += value;
}

static double inner(double *a, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++) {
#pragma omp task shared(a) firstprivate(i) if (n > 3)
		{
			a[i] += 1;
#pragma omp task
			a[i] *= 2;
#pragma omp taskwait
			a[i] += 1; /* or the call would be a jump */
		}
	}
#pragma omp taskwait
	for (int i = 0; i < n; i++)
		sum += a[i];
	return sum;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 20;
	double *a = calloc((size_t)n, sizeof(*a)), total = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < n; i++)
			a[i] = i;

#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < n; i++)
			a[i] += 1;
		add(&total, a[0]);
		add(&total, a[1]);
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < n; i++) {
			a[i] += 1;
#pragma omp critical
			total += a[i];
		}
#pragma omp barrier
#pragma omp for schedule(static)
		for (int i = 0; i < n; i++)
			a[i] /= 2;
#pragma omp for ordered schedule(dynamic)
		for (int i = 0; i < n; i++) {
			a[i] /= 2;
#pragma omp ordered
			total += a[i];
		}
#pragma omp for ordered schedule(dynamic)
		for (int i = 0; i < n; i++) {
#pragma omp ordered
			{
				total += a[i] * 2;
			}
		}
#pragma omp sections
		{
#pragma omp section
			a[0] = 1;
#pragma omp section
			a[1] = 1;
		}
#pragma omp single
		{
			total += inner(a, n);
		}
#pragma omp sections nowait
		{
#pragma omp section
			a[2] = 1;
#pragma omp section
			a[3] = 1;
		}
#pragma omp barrier
	}
	printf("%d\n", total > 0);
	free(a);
	return 0;
}
