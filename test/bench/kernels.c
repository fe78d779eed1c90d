/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small whole programs, one per way of dividing work: recursive tasks without and with a cut-off
 * (fib, queens, sort), tasks with dependences (lu), loops (stencil, mandelbrot). Each result is
 * compared with the serial one. Prints name and microseconds, the best of three.
 *
 *	kernels THREADS [NAME...]
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static long fib(int n)
{
	long a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

static double run_fib(void)
{
	long value = 0;

#pragma omp parallel
#pragma omp single
	value = fib(20);
	return (double)value;
}

enum { QUEENS = 8 };

static long queens(int row, unsigned columns, unsigned down, unsigned up)
{
	long counts[QUEENS] = {0}, sum = 0;

	if (row == QUEENS)
		return 1;
	for (int i = 0; i < QUEENS; i++) {
		unsigned bit = 1u << i;
		if ((columns | down | up) & bit)
			continue;
#pragma omp task shared(counts) firstprivate(i, bit)
		counts[i] = queens(row + 1, columns | bit, (down | bit) << 1, (up | bit) >> 1);
	}
#pragma omp taskwait
	for (int i = 0; i < QUEENS; i++)
		sum += counts[i];
	return sum;
}

static double run_queens(void)
{
	long value = 0;

#pragma omp parallel
#pragma omp single
	value = queens(0, 0, 0, 0);
	return (double)value;
}

enum { NUMBERS = 1 << 17, CUT_OFF = 2048 };
static int numbers[NUMBERS], scratch[NUMBERS];

static int compare(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;
	return (a > b) - (a < b);
}

static void sort(int *values, int *space, int count)
{
	int half = count / 2, i = 0, j = half, k = 0;

	if (count <= CUT_OFF) {
		qsort(values, (size_t)count, sizeof(*values), compare);
		return;
	}
#pragma omp task
	sort(values, space, half);
#pragma omp task
	sort(values + half, space + half, count - half);
#pragma omp taskwait
	while (k < count)
		space[k++] =
		    j == count || (i < half && values[i] <= values[j]) ? values[i++] : values[j++];
	memcpy(values, space, (size_t)count * sizeof(*values));
}

/* The number of descents, which is zero, and a checksum that a lost element changes. */
static double run_sort(void)
{
	unsigned next = 1;
	double sum = 0;

	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = (int)((next = next * 1664525u + 1013904223u) >> 1);
#pragma omp parallel
#pragma omp single
	sort(numbers, scratch, NUMBERS);
	for (int i = 1; i < NUMBERS; i++)
		sum += numbers[i - 1] > numbers[i] ? 1e18 : (double)numbers[i] * (i % 7);
	return sum;
}

enum { BLOCKS = 12, BLOCK = 24 };
static double lu[BLOCKS][BLOCKS][BLOCK][BLOCK];
typedef double block[BLOCK];

static void factor(block *d)
{
	for (int k = 0; k < BLOCK; k++)
		for (int i = k + 1; i < BLOCK; i++) {
			d[i][k] /= d[k][k];
			for (int j = k + 1; j < BLOCK; j++)
				d[i][j] -= d[i][k] * d[k][j];
		}
}

static void solve_right(block *d, block *c)
{
	for (int k = 0; k < BLOCK; k++)
		for (int i = k + 1; i < BLOCK; i++)
			for (int j = 0; j < BLOCK; j++)
				c[i][j] -= d[i][k] * c[k][j];
}

static void solve_below(block *d, block *r)
{
	for (int i = 0; i < BLOCK; i++)
		for (int k = 0; k < BLOCK; k++) {
			r[i][k] /= d[k][k];
			for (int j = k + 1; j < BLOCK; j++)
				r[i][j] -= r[i][k] * d[k][j];
		}
}

static void update(block *r, block *c, block *in)
{
	for (int i = 0; i < BLOCK; i++)
		for (int k = 0; k < BLOCK; k++)
			for (int j = 0; j < BLOCK; j++)
				in[i][j] -= r[i][k] * c[k][j];
}

static double run_lu(void)
{
	double sum = 0, *all = &lu[0][0][0][0];
	unsigned next = 7;

	for (int i = 0; i < BLOCKS * BLOCKS * BLOCK * BLOCK; i++)
		all[i] = (double)((next = next * 1664525u + 1013904223u) >> 20) * 1e-4;
	for (int i = 0; i < BLOCKS; i++)
		for (int j = 0; j < BLOCK; j++)
			lu[i][i][j][j] += 500;
#pragma omp parallel
#pragma omp single
	for (int k = 0; k < BLOCKS; k++) {
#pragma omp task depend(inout : lu[k][k])
		factor(lu[k][k]);
		for (int j = k + 1; j < BLOCKS; j++) {
#pragma omp task depend(in : lu[k][k]) depend(inout : lu[k][j])
			solve_right(lu[k][k], lu[k][j]);
#pragma omp task depend(in : lu[k][k]) depend(inout : lu[j][k])
			solve_below(lu[k][k], lu[j][k]);
		}
		for (int i = k + 1; i < BLOCKS; i++)
			for (int j = k + 1; j < BLOCKS; j++) {
#pragma omp task depend(in : lu[i][k], lu[k][j]) depend(inout : lu[i][j])
				update(lu[i][k], lu[k][j], lu[i][j]);
			}
	}
	for (int i = 0; i < BLOCKS * BLOCKS * BLOCK * BLOCK; i++)
		sum += all[i];
	return sum;
}

enum { SIDE = 128, SWEEPS = 50 };
static double grid[2][SIDE][SIDE];

static double run_stencil(void)
{
	double sum = 0;

	memset(grid, 0, sizeof(grid));
	for (int i = 0; i < SIDE; i++)
		grid[0][0][i] = grid[1][0][i] = 1;
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		double(*from)[SIDE] = grid[sweep % 2], (*to)[SIDE] = grid[1 - sweep % 2];
#pragma omp parallel for schedule(static)
		for (int i = 1; i < SIDE - 1; i++)
			for (int j = 1; j < SIDE - 1; j++)
				to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] +
						      from[i][j - 1] + from[i][j + 1]);
	}
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			sum += grid[0][i][j];
	return sum;
}

static double run_mandelbrot(void)
{
	long sum = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
	for (int p = 0; p < 256 * 64; p++) {
		int column = p % 256, row = p / 256;
		double real = -2 + 3.0 * column / 256, imaginary = -1 + 2.0 * row / 64;
		double x = 0, y = 0, next;
		for (int n = 0; n < 60 && x * x + y * y < 4; n++, sum++) {
			next = x * x - y * y + real;
			y = 2 * x * y + imaginary;
			x = next;
		}
	}
	return (double)sum;
}

static const struct {
	const char *name;
	double (*run)(void);
} kernels[] = {
    {"fib", run_fib},
    {"queens", run_queens},
    {"sort", run_sort},
    {"lu", run_lu},
    {"stencil", run_stencil},
    {"mandelbrot", run_mandelbrot},
};

static int is_wanted(const char *name, int count, char **names)
{
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return 1;
	return count == 0;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 0, failures = 0;

	if (threads < 1) {
		fprintf(stderr, "usage: kernels THREADS [NAME...]\n");
		return 2;
	}
	omp_set_dynamic(0);
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		double expected, found, took, best = 0;

		if (!is_wanted(kernels[i].name, argc - 2, argv + 2))
			continue;
		omp_set_num_threads(1);
		expected = kernels[i].run();
		omp_set_num_threads(threads);
		for (int j = 0; j < 3; j++) {
			took = now();
			found = kernels[i].run();
			took = now() - took;
			best = j == 0 || took < best ? took : best;
			if (fabs(found - expected) > 1e-9 * fabs(expected)) {
				fprintf(stderr, "%s: expected %.17g, found %.17g\n",
				    kernels[i].name, expected, found);
				failures++;
			}
		}
		printf("%s %.1f\n", kernels[i].name, best);
		fflush(stdout);
	}
	return failures != 0;
}
