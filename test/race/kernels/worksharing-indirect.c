/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: iterations write through an index array that is no permutation.
 * Two indices are equal, far apart (OpenMP 5.2, 11.5). The fixed array is a permutation.
 */
enum { N = 1000 };

static int place[N], values[N];

int main(void)
{
	int sum = 0;

	for (int i = 0; i < N; i++)
		place[i] = i * 7 % N;
#ifndef FIXED
	place[900] = place[100];
#endif
#pragma omp parallel for
	for (int i = 0; i < N; i++)
		values[place[i]] += 1; /* race: write values */
	for (int i = 0; i < N; i++)
		sum += values[i];
	return sum != N;
}
