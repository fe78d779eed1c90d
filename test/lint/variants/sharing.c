/* SPDX-License-Identifier: BSD-3-Clause */
/* False sharing: elements by the thread's number, and what looks like them. */
#include <omp.h>

struct cell {
	double sum, square;
};

struct wide {
	double values[8];
};

static int counts[64];
static struct wide wides[64];
static struct {
	int a, b;
} pair;

double elements(const double *v, int n, int *each, struct cell *cells)
{
	double result = 0;

#pragma omp parallel
	{
		int me = omp_get_thread_num(), other = omp_get_thread_num();

		other = other + 1;
		for (int i = 0; i < n; i++)
			counts[me]++; /* finds openmp-false-sharing */
		for (int i = 0; i < n; i++)
			each[omp_get_thread_num()] = (int)v[i]; /* finds openmp-false-sharing */
		for (int i = 0; i < n; i++)
			if (v[i] > 0)
				cells[me].sum += v[i]; /* finds openmp-false-sharing */
		/* an element of a line's size, an index that is another one */
		for (int i = 0; i < n; i++)
			wides[me].values[0] += v[i];
		for (int i = 0; i < n; i++)
			counts[me * 16] += i;
#pragma omp critical
		result += other;
	}
	return result + counts[0];
}

int rarely(const double *v, int n)
{
	int found[64] = {0}, total = 0;

#pragma omp parallel num_threads(64)
	{
		int me = omp_get_thread_num();
		int own[64] = {0};

		/* once, or once in a loop */
		found[me] = n;
		for (int i = 0; i < n; i++)
			if (v[i] > 7) {
				found[me] = i;
				break;
			}
		/* an outer loop, a copy of each thread, one thread */
		for (int i = 0; i < n; i++) {
			for (int j = 0; j < n; j++)
				own[me] += j;
			found[me] = own[me];
		}
		if (me == 0)
			for (int i = 0; i < n; i++)
				found[me]++;
	}
#pragma omp parallel num_threads(1)
	for (int i = 0; i < n; i++)
		found[omp_get_thread_num()]++;
	for (int i = 0; i < 64; i++)
		total += found[i];
	return total;
}

void members(int n)
{
#pragma omp parallel sections
	{
#pragma omp section
		for (int i = 0; i < n; i++)
			pair.a += i;
#pragma omp section
		for (int i = 0; i < n; i++)
			pair.b -= i; /* finds openmp-false-sharing */
	}
#pragma omp parallel sections
	{
#pragma omp section
		for (int i = 0; i < n; i++)
			pair.a += i;
#pragma omp section
		pair.b = n;
	}
}
