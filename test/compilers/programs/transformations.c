/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instrumented: 6
 *
 * Loops that tile and unroll (OpenMP 5.2, 9) make for the directive before them: the loop that is
 * shared is the one that they leave.
 */
#include <stdio.h>

#define N 37

static int grid[N][N], visits[N];

int main(void)
{
	long sum = 0, check = 0;

#pragma omp parallel for num_threads(3) schedule(dynamic)
#pragma omp tile sizes(4, 5)
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			grid[i][j] += i * N + j;
#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
#pragma omp for collapse(2)
#pragma omp tile sizes(8, 8)
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				sum += grid[i][j];
#pragma omp for
#pragma omp unroll partial(4)
		for (int i = 0; i < N; i++)
			visits[i]++;
#pragma omp taskloop num_tasks(2)
#pragma omp unroll partial(2)
		for (int i = 0; i < N; i++)
#pragma omp atomic
			visits[i]++;
	}
#pragma omp unroll full
	for (int i = 0; i < 4; i++)
		check += visits[i];
#pragma omp unroll
	for (int i = 4; i < N; i++)
		check += visits[i];
	printf("%ld %ld\n", sum, check);
	return 0;
}
