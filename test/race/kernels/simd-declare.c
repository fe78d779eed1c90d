/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a routine that a simd loop calls for all lanes at once counts in a static variable.
 * Lanes of a declare simd routine execute concurrently (OpenMP 5.2, 7.7 and 10.4). The fixed
 * routine returns what it counted, and the loop reduces it.
 */
#ifndef FIXED
static int clipped;
#endif

#pragma omp declare simd
static int clip(int value)
{
#ifndef FIXED
	if (value > 50)
		clipped++; /* race: write clipped */
#endif
	return value > 50 ? 50 : value;
}

int main(void)
{
	int sum = 0, count = 0;

#pragma omp simd reduction(+ : sum, count)
	for (int i = 0; i < 100; i++) {
		sum += clip(i);
#ifdef FIXED
		count += i > 50;
#endif
	}
#ifndef FIXED
	count = clipped;
#endif
	return sum != 1275 + 49 * 50 || count != 49;
}
