/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of matrices by a BLAS, in each iteration of a parallel loop (`nested`) or one behind the
 * other outside of regions (`outer`): blas nested|outer SIZE PRODUCTS. Prints the sum of all
 * elements, which is exact, the threads of the process before its first region and at the end, and
 * on standard error the seconds that the products took.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROW_MAJOR = 101, AS_IT_IS = 111 }; /* as the C interface of BLAS has them */

void cblas_dgemm(int order, int transpose_a, int transpose_b, int rows, int columns, int inner,
    double alpha, const double *a, int row_a, const double *b, int row_b, double beta, double *c,
    int row_c);

static int threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int found = -2; /* . and .. */

	while (tasks != NULL && readdir(tasks) != NULL)
		found++;
	closedir(tasks);
	return found;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double *new_matrix(int size, int modulus)
{
	size_t elements = (size_t)size * (size_t)size;
	double *matrix = calloc(elements, sizeof(*matrix));

	if (matrix == NULL)
		abort();
	for (size_t i = 0; modulus != 0 && i < elements; i++)
		matrix[i] = (double)(i % (size_t)modulus) - 1;
	return matrix;
}

static double product(int size, const double *a, const double *b)
{
	double *c = new_matrix(size, 0), sum = 0;

	cblas_dgemm(
	    ROW_MAJOR, AS_IT_IS, AS_IT_IS, size, size, size, 1, a, size, b, size, 0, c, size);
	for (size_t i = 0; i < (size_t)size * (size_t)size; i++)
		sum += c[i];
	free(c);
	return sum;
}

int main(int count, char **words)
{
	int size = count == 4 ? atoi(words[2]) : 0, products = count == 4 ? atoi(words[3]) : 0;
	int before = threads(), members = 0;
	double *a = new_matrix(size, 7), *b = new_matrix(size, 5), sum = 0, begin;

#pragma omp parallel reduction(+ : members)
	members++;
	begin = seconds();
	if (count == 4 && strcmp(words[1], "nested") == 0) {
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
		for (int i = 0; i < products; i++)
			sum += product(size, a, b);
	} else {
		for (int i = 0; i < products; i++)
			sum += product(size, a, b);
	}
	fprintf(stderr, "%.6f\n", seconds() - begin);
	printf("sum %.0f, a region has %d threads, the process had %d and has %d\n", sum, members,
	    before, threads());
	free(a);
	free(b);
	return 0;
}
