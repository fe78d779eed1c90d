/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a histogram, whose places come from an array and repeat.
 * Two lanes may add to one place at once (OpenMP 5.2, 10.4). The fixed loop scatters to places that
 * differ from each other.
 */
static int places[64], counts[64];

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 64; i++)
#ifdef FIXED
		places[i] = 63 - i;
#else
		places[i] = i / 2;
#endif
#pragma omp simd
	for (int i = 0; i < 64; i++)
		counts[places[i]] += 1; /* race: write counts */ /* race: read counts */
	for (int i = 0; i < 64; i++)
		sum += counts[i];
	return sum != 64;
}
