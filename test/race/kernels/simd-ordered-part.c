/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a list of the places of large values is appended to in a simd loop.
 * The lanes share its length (OpenMP 5.2, 5.1.1). The fixed loop appends in an ordered simd region,
 * which lanes execute in the order of the loop (15.10.2).
 */
enum { N = 160 };

static int values[N], places[N];

int main(void)
{
	int count = 0, wrong = 0;

#pragma omp simd
	for (int i = 0; i < N; i++) {
		values[i] = i * 37 % N;
#ifdef FIXED
#pragma omp ordered simd
#endif
		{
			if (values[i] >= N / 2)
				places[count++] = i; /* race: write count; race: read count */
		}
	}
	for (int i = 1; i < count; i++)
		wrong += places[i] <= places[i - 1];
	return wrong != 0 || count != N / 2;
}
