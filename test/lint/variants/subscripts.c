/* SPDX-License-Identifier: BSD-3-Clause */
/* Subscripts with coefficients, single elements, and second names of an array. */
#include <omp.h>

enum { SIZE = 1000 };

static double a[2 * SIZE], b[SIZE], plane[SIZE][SIZE];
static int width;

struct cell {
	double value, next;
};

void coefficients(int n, struct cell *cells)
{
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		a[2 * i + 1] = a[i] + 1; /* finds openmp-loop-dependence */
#pragma omp parallel for
	for (int i = 1; i <= n; i++)
		a[i] = a[2 * i] + 1; /* finds openmp-loop-dependence */
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		a[i] = a[n - 1 - i]; /* finds openmp-loop-dependence */
#pragma omp parallel for
	for (int i = 0; i < SIZE; i += 2)
		a[i] = a[3 * i] + 1; /* finds openmp-loop-dependence */
#pragma omp parallel for
	for (int i = n - 1; i >= 0; i--)
		cells[2 * i - n + 1].value = cells[i].value; /* finds openmp-loop-dependence */
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			plane[2 * i + 1][j] = plane[i][j]; /* finds openmp-loop-dependence */
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[2 * i + 1] = a[i] + 1; /* finds openmp-simd-dependence */
}

void single_elements(int n, int first)
{
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		a[i] = a[i] + a[0]; /* finds openmp-loop-dependence */
#pragma omp parallel for
	for (int i = first; i < n; i++)
		a[i] /= a[first]; /* finds openmp-loop-dependence */
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		a[i] -= a[n - 1]; /* finds openmp-loop-dependence */
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		for (int j = 0; j < width; j++)
			plane[i][j] -= plane[0][j]; /* finds openmp-loop-dependence */
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		for (int j = 0; j < width; j++)
			plane[i][j] /= plane[i][0] + plane[1][1]; /* finds openmp-loop-dependence */
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = a[i] + a[0]; /* finds openmp-simd-dependence */
}

void two_names(double *x, int n)
{
	double *same = x, *next = &x[1], *third;
	double *row = a + 1;

	third = x + 2;
#pragma omp parallel for
	for (int i = 1; i < n; i++)
		same[i] = x[i - 1]; /* finds openmp-loop-dependence */
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		next[i] = x[i]; /* finds openmp-loop-dependence */
#pragma omp parallel for firstprivate(third)
	for (int i = 0; i < n; i++)
		third[i] = next[i]; /* finds openmp-loop-dependence */
#pragma omp parallel for
	for (int i = 0; i < SIZE; i++)
		row[i] = a[i]; /* finds openmp-loop-dependence */
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		x[i] += same[0]; /* finds openmp-loop-dependence */
#pragma omp simd
	for (int i = 0; i < n; i++)
		next[i] = x[i]; /* finds openmp-simd-dependence */
#pragma omp parallel
	{
		double *inside = x + 1, *to = a;

#pragma omp for
		for (int i = 0; i < n; i++)
			inside[i] = x[i]; /* finds openmp-loop-dependence */
#pragma omp for
		for (int i = 0; i < n; i++)
			to[2 * i + 1] = a[i]; /* finds openmp-loop-dependence */
	}
}

/* Nothing is wrong from here on, or the text does not decide. */
void never_equal(int n, int first, int mode, struct cell *cells)
{
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		a[2 * i] = a[2 * i + 1];
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		a[4 * i] = a[2 * i + 1];
#pragma omp parallel for
	for (int i = 1; i < n; i++)
		a[i] = a[i] + a[0];
#pragma omp parallel for
	for (int i = first; i < n; i++)
		a[i] = a[i] + a[0];
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		a[i] = a[i] + a[n];
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		a[i] = a[i] + a[SIZE];
#pragma omp parallel for
	for (int i = 0; i < 8; i++)
		a[i] = a[2 * i + 8];
#pragma omp parallel for
	for (int i = 0; i < n / 2; i++) {
		double kept = a[i];
		a[i] = a[n - 1 - i];
		a[n - 1 - i] = kept;
	}
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		cells[2 * i + 1].value = cells[i].next;
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		if (mode || b[i] > 0)
			a[i] = a[0];
#pragma omp parallel for
	for (int i = 0; i < n; i++) {
		if (i == 0)
			continue;
		a[i] = a[0];
	}
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		a[i] += i > 0 ? a[0] : 1;
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = a[2 * i + 1];
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] -= a[n - 1];
}

void triangles(int n, int m)
{
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			plane[i][j] = plane[j][i];
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			a[i] += a[0] * j;
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		for (int j = 1; j < m; j++)
			plane[i][j] -= plane[i][0];
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		for (int j = 1; j < m; j++)
			plane[i][j] -= plane[m][0];
#pragma omp parallel for collapse(2)
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			plane[i][j] *= plane[i + n][0];
}

void other_names(double *x, double *y, int n, int mode)
{
	double *same = x, *half = x + n, *either = mode ? x : y, *moved = x, *shifted = &x[mode];
	char *bytes = (char *)x;

	moved++;
	mode = 3;
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		same[i] = x[i] + y[i];
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		half[i] = x[i];
#pragma omp parallel for
	for (int i = 1; i < n; i++)
		either[i] = x[i - 1];
#pragma omp parallel for
	for (int i = 1; i < n; i++)
		moved[i] = x[i - 1];
#pragma omp parallel for
	for (int i = 1; i < n; i++)
		shifted[i] = x[i - 1];
#pragma omp parallel for
	for (int i = 1; i < n; i++)
		bytes[i] = (char)x[i - 1];
#pragma omp parallel for private(a)
	for (int i = 1; i < n; i++) {
		a[i] = i;
		b[i] = a[i];
	}
}

/* Pointers of each thread's own. */
void own_parts(double *x, int n, int threads)
{
#pragma omp parallel
	{
		int self = omp_get_thread_num();
		double *part = x + self * n, *other = self ? x : a, *left = 0;

#pragma omp for
		for (int i = 1; i < threads; i++)
			part[i] = part[i - 1];
#pragma omp for
		for (int i = 1; i < n; i++)
			other[i] = other[i - 1] + x[i];
		left = x;
#pragma omp for private(left)
		for (int i = 1; i < n; i++) {
			left = b;
			left[i] = x[i - 1];
		}
	}
}

/* The pointer gets its value only behind the loop, or the array is a thread's own. */
void late(double *x, int n)
{
	double *later = 0, own[SIZE] = {0}, *into = own;

#pragma omp parallel for
	for (int i = 1; i < n; i++)
		x[i] = later == 0 ? i : later[i - 1];
	later = x;
	x[0] = later[1];
#pragma omp parallel for firstprivate(own)
	for (int i = 1; i < SIZE; i++)
		into[i] = own[i - 1];
}
