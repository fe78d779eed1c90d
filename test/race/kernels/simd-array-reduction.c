/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: columns are summed up in an array, to which every iteration adds.
 * Without a reduction the lanes add to one place at once (OpenMP 5.2, 5.5.8). The fixed loop has a
 * reduction of the array's section.
 */
static int table[64][4], sums[4];

int main(void)
{
	for (int i = 0; i < 64; i++)
		for (int j = 0; j < 4; j++)
			table[i][j] = j;
#ifdef FIXED
#pragma omp simd reduction(+ : sums [0:4])
#else
#pragma omp simd
#endif
	for (int i = 0; i < 64; i++) {
		sums[0] += table[i][0]; /* race: write sums */ /* race: read sums */
		sums[3] += table[i][3]; /* race: write sums */ /* race: read sums */
	}
	return sums[0] != 0 || sums[3] != 192;
}
