/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a temporary from outside of a simd loop carries a value from one statement to the next.
 * It is shared by the lanes (OpenMP 5.2, 5.1.1 and 10.4). The fixed one is private, with
 * lastprivate as its last value is used.
 */
static int x[128], y[128];

int main(void)
{
	int wrong = 0;
	int square = 0;

	for (int i = 0; i < 128; i++)
		x[i] = i;
#ifdef FIXED
#pragma omp simd lastprivate(square)
#else
#pragma omp simd
#endif
	for (int i = 0; i < 128; i++) {
		square = x[i] * x[i]; /* race: write square */
		y[i] = square + 1;    /* race: read square */
	}
	for (int i = 0; i < 128; i++)
		wrong += y[i] != i * i + 1;
	return wrong != 0 || square != 127 * 127;
}
