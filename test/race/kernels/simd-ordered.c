/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: a simd loop writes to places that an index array gives, some of them twice.
 * Lanes with the same place write it at once (OpenMP 5.2, 10.4). The fixed one does the update in
 * an ordered simd region, lane by lane (15.10.2).
 */
static int place[96], count[32];

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < 96; i++)
		place[i] = i / 3;
#pragma omp simd
	for (int i = 0; i < 96; i++) {
#ifdef FIXED
#pragma omp ordered simd
#endif
		count[place[i]] += i; /* race: write count */
	}
	for (int i = 0; i < 32; i++)
		wrong += count[i] != 9 * i + 3;
	return wrong != 0;
}
