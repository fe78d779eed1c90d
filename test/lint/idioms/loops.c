/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that are right as they are: nothing is to be found. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

static double grid[100][100], next[100][100];

void stencil(int n)
{
	int i, j;

	for (int step = 0; step < 10; step++) {
#pragma omp parallel for private(j)
		for (i = 1; i < n - 1; i++)
			for (j = 1; j < n - 1; j++)
				next[i][j] = (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] +
						 grid[i][j + 1]) /
					     4;
#pragma omp parallel for collapse(2)
		for (i = 1; i < n - 1; i++)
			for (j = 1; j < n - 1; j++)
				grid[i][j] = next[i][j];
	}
}

/* Red and black: the elements of one colour are written from those of the other. */
void red_black(double *a, int n)
{
	for (int colour = 0; colour < 2; colour++) {
#pragma omp parallel for
		for (int i = 1 + colour; i < n - 1; i += 2)
			a[i] = (a[i - 1] + a[i + 1]) / 2;
#pragma omp parallel for
		for (int i = 1; i < n - 1; i++)
			if (i % 2 == colour)
				a[i] = (a[i - 1] + a[i + 1]) / 2;
	}
}

/* Halves, blocks, rows of a matrix in one array, and indirect subscripts. */
void subscripts(double *a, double *b, const int *index, int n, int width)
{
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < n / 2; i++)
			a[i] = a[i + n / 2];
#pragma omp for
		for (int i = 0; i < n; i++)
			for (int j = 0; j < width; j++)
				b[i * width + j] = b[i * width + j] + a[i];
#pragma omp for
		for (int i = 0; i < n; i += 64)
			for (int j = 0; j < 64; j++)
				a[i + j] += 1;
#pragma omp for
		for (int i = 0; i < n; i++)
			a[index[i]] = b[i];
#pragma omp for
		for (int i = 0; i < 4; i++)
			a[i] = a[i + 4];
#pragma omp for
		for (int i = 0; i < n; i++) {
			const int row = i * width;
			for (int j = 1; j < width; j++)
				b[row + j] += b[row + j - 1];
		}
	}
#pragma omp simd safelen(4)
	for (int i = 4; i < n; i++)
		a[i] = a[i - 4] + 1;
#pragma omp simd
	for (int i = 0; i < n - 1; i++)
		a[i] = a[i + 1];
}

/* A row of each thread's own, and a histogram in copies. */
int *histogram(const unsigned char *data, int n)
{
	int threads = omp_get_max_threads();
	int *all = calloc((size_t)threads * 256, sizeof *all);
	int *sum = calloc(256, sizeof *sum);

#pragma omp parallel
	{
		int *own = all + 256 * omp_get_thread_num();
		int number = omp_get_thread_num();
#pragma omp for
		for (int i = 0; i < n; i++)
			own[data[i]]++;
#pragma omp for
		for (int i = 0; i < 256; i++)
			for (int t = 0; t < threads; t++)
				sum[i] += all[t * 256 + i];
		all[number] = 0;
	}
	free(all);
	return sum;
}

double ordered_sum(const double *a, int n)
{
	double sum = 0;

#pragma omp parallel for ordered
	for (int i = 0; i < n; i++) {
		double value = sqrt(a[i]);
#pragma omp ordered
		sum += value;
	}
	return sum;
}

/* A linear recurrence whose dependences a doacross loop names. */
void doacross(double *a, int n)
{
#pragma omp parallel for ordered(1)
	for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
		a[i] += a[i - 1];
#pragma omp ordered depend(source)
	}
}

/* One iteration writes. */
double last_value(const double *a, int n)
{
	double last = 0, first = 0;

#pragma omp parallel for
	for (int i = 0; i < n; i++) {
		if (i == n - 1)
			last = a[i];
		if (!i)
			first = a[i];
	}
	return last + first;
}

double nested_private(double (*m)[64], int n)
{
	double sum = 0, value;
	int k;

#pragma omp parallel for private(k, value) reduction(+ : sum)
	for (int i = 0; i < n; i++) {
		value = 0;
		for (k = 0; k < 64; k++)
			value += m[i][k];
		sum += value;
	}
	return sum;
}

void quotients(int *a, int *b, const int *c, int n)
{
#pragma omp parallel for schedule(static, 2)
	for (int i = 0; i < 100; i++)
		a[i / 2] += c[i];
#pragma omp parallel for order(concurrent)
	for (int i = 0; i < n; i += 2)
		a[i / 2] = c[i];
#pragma omp parallel for order(concurrent)
	for (int i = 0; i < n; i++)
		b[2 * i / 2] = c[i / 2];
#pragma omp simd
	for (int i = 0; i < 2; i++)
		a[(i + 1) / 2] = i;
#pragma omp simd safelen(1)
	for (int i = 0; i < n; i++)
		a[i / 2] += c[i];
#pragma omp simd
	for (int i = 0; i < n; i++)
		if (i % 2 == 0)
			a[i / 2] = c[i];
}

void get_range(int number, int *begin, int *end);

/* A range of each iteration's own, which a function returns by pointers. */
void ranges(int *a, int n)
{
#pragma omp parallel for
	for (int i = 0; i < n; i++) {
		int begin, end;

		get_range(i, &begin, &end);
		for (int p = begin; p < end; p++)
			a[p] = i;
	}
}

int main(void)
{
	return 0;
}
