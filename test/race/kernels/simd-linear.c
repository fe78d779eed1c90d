/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a loop steps through every third element with a second index.
 * In the racy one the lanes share the index (OpenMP 5.2, 5.1.1); in the fixed one it is linear,
 * so that each lane computes its own from the number of the iteration (5.4.6).
 */
enum { N = 90 };

static int source[3 * N], out[N];

int main(void)
{
	int at = 1, wrong = 0;

	for (int i = 0; i < 3 * N; i++)
		source[i] = i;
#ifdef FIXED
#pragma omp simd linear(at : 3)
#else
#pragma omp simd
#endif
	for (int i = 0; i < N; i++) {
		out[i] = source[at]; /* race: read at */
		at += 3;             /* race: write at; race: read at */
	}
	for (int i = 0; i < N; i++)
		wrong += out[i] != 3 * i + 1;
	return wrong != 0 || at != 3 * N + 1;
}
