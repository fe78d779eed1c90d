/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a function adds two arrays, and its caller passes overlapping parts of one array.
 * What one lane writes another one reads (OpenMP 5.2, 10.4). The fixed call passes parts that do
 * not overlap.
 */
enum { N = 70 };

static int data[3 * N];

__attribute__((noinline)) static void add(int *out, const int *left, const int *right)
{
#pragma omp simd
	for (int i = 0; i < N; i++)
		out[i] = left[i] + right[i]; /* race: write data; race: read data */
}

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < 3 * N; i++)
		data[i] = 1;
#ifdef FIXED
	add(data + 2 * N, data, data + N);
#else
	add(data + 1, data, data + 2 * N);
#endif
	for (int i = 0; i < N; i++)
#ifdef FIXED
		wrong += data[2 * N + i] != 2;
#else
		wrong += data[1 + i] != i + 2;
#endif
	return wrong != 0;
}
