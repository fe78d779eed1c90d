/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instrumented: 4
 *
 * declare mapper, iterators in map and motion clauses (OpenMP 5.2, 5.8), executed by the host.
 */
#include <stdio.h>

struct vector {
	int length;
	double *values;
};

#pragma omp declare mapper(struct vector v) map(v, v.values [0:v.length])

int main(void)
{
	double values[40], rows[4][10];
	double *row[4];
	struct vector all = {40, values};
	double sum = 0;

	for (int i = 0; i < 40; i++)
		values[i] = i;
	for (int i = 0; i < 4; i++)
		row[i] = rows[i];
#pragma omp target map(tofrom : all)
	for (int i = 0; i < all.length; i++)
		all.values[i] *= 2;
#pragma omp target data map(iterator(i = 0 : 4), tofrom : row[i] [0:10])
	{
#pragma omp target update to(iterator(i = 0 : 4) : row[i] [0:10])
		rows[1][2] = 3;
	}
#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 40; i++)
		sum += values[i];
	printf("%g %g\n", sum, rows[1][2]);
	return 0;
}
