/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a scatter through an index that names one element twice.
 * The two iterations are neighbours, and both update the element without atomic. The fixed index is
 * a permutation.
 */
enum { N = 900 };

static int target[N], position[N];

int main(void)
{
	int sum = 0;

	for (int i = 0; i < N; i++)
		position[i] = i * 7 % N;
#ifndef FIXED
	position[401] = position[400];
#endif
#pragma omp parallel for
	for (int i = 0; i < N; i++)
		target[position[i]] += i; /* race: write target */
	for (int i = 0; i < N; i++)
		sum += target[i];
	return sum != N * (N - 1) / 2;
}
