/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: a running sum is kept in a shared variable over a parallel loop.
 * Each iteration needs what all before it have added. The fixed one is an inscan reduction, which
 * gives each iteration its prefix (OpenMP 5.2, 5.6).
 */
static int values[300], prefix[300];

int main(void)
{
	int sum = 0;
	int wrong = 0;

	for (int i = 0; i < 300; i++)
		values[i] = i % 5;
#ifdef FIXED
#pragma omp parallel for reduction(inscan, + : sum)
	for (int i = 0; i < 300; i++) {
		sum += values[i];
#pragma omp scan inclusive(sum)
		prefix[i] = sum;
	}
#else
#pragma omp parallel for
	for (int i = 0; i < 300; i++) {
		sum += values[i]; /* race: write sum */
		prefix[i] = sum;  /* race: read sum */
	}
#endif
	for (int i = 0, expected = 0; i < 300; i++) {
		expected += values[i];
		wrong += prefix[i] != expected;
	}
	return wrong != 0;
}
