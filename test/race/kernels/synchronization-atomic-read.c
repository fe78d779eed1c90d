/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: workers look at a variable that others update atomically, by a plain read.
 * A read beside atomic writes needs to be atomic, too (OpenMP 5.2, 15.8.4). The fixed one has
 * atomic read.
 */
int main(void)
{
	int best = 0;
	int skipped = 0;
	int counted = 0;

#pragma omp parallel for reduction(+ : skipped, counted)
	for (int i = 0; i < 1000; i++) {
		int seen;

#ifdef FIXED
#pragma omp atomic read
#endif
		seen = best; /* race: read best */
		if (seen >= 50) {
			skipped++;
		} else {
#pragma omp atomic
			best++; /* race: write best */
			counted++;
		}
	}
	return skipped + counted != 1000 || best != counted;
}
