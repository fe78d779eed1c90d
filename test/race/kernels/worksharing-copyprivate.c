/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: the thread of a single region hands a value on through a shared variable, and writes
 * it anew in the next round, while slow threads still read.
 * The fixed one has copyprivate: each thread has its own copy (OpenMP 5.2, 5.7.2).
 */
int main(void)
{
	int wrong = 0;
#ifdef FIXED
#define HAND_ON single copyprivate(round_value)
#else
#define HAND_ON single
	int round_value = 0;
#endif

#pragma omp parallel reduction(+ : wrong)
	{
#ifdef FIXED
		int round_value = 0;
#endif
		for (int round = 1; round <= 20; round++) {
#pragma omp HAND_ON
			round_value = round * round;           /* race: write round_value */
			wrong += round_value != round * round; /* race: read round_value */
		}
	}
	return wrong != 0;
}
