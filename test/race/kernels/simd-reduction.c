/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a sum in a simd loop without reduction clause.
 * The lanes of a simd loop execute iterations at once (OpenMP 5.2, 10.4), and all of them add to
 * one variable. The fixed one has the clause.
 */
static float values[256];

int main(void)
{
	float sum = 0;

	for (int i = 0; i < 256; i++)
		values[i] = (float)(i % 8);
#ifdef FIXED
#pragma omp simd reduction(+ : sum)
#else
#pragma omp simd
#endif
	for (int i = 0; i < 256; i++)
		sum += values[i]; /* race: write sum */
	return sum != 896;
}
