/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: the offsets of variable pieces are taken from a shared running total.
 * Each iteration reads the total and adds to it, without order (OpenMP 5.2, 11.5). The fixed
 * one is an exclusive scan (5.6).
 */
static int sizes[200], offsets[200];

int main(void)
{
	int total = 0;
	int wrong = 0;

	for (int i = 0; i < 200; i++)
		sizes[i] = i % 3 + 1;
#ifdef FIXED
#pragma omp parallel for reduction(inscan, + : total)
	for (int i = 0; i < 200; i++) {
		offsets[i] = total;
#pragma omp scan exclusive(total)
		total += sizes[i];
	}
#else
#pragma omp parallel for
	for (int i = 0; i < 200; i++) {
		offsets[i] = total; /* race: read total */
		total += sizes[i];  /* race: write total */
	}
#endif
	for (int i = 0, expected = 0; i < 200; i++) {
		wrong += offsets[i] != expected;
		expected += sizes[i];
	}
	return wrong != 0;
}
