/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a sum by reduction, and an array element that one neighbour adds to.
 * The fixed one adds to the sum.
 */
enum { N = 840, PLACE = 500 };

static int counts[N + 1];

int main(void)
{
	int sum = 0, extra = 0, wrong = 0;

#pragma omp parallel for reduction(+ : sum, extra)
	for (int i = 0; i < N; i++) {
		counts[i] += 1; /* race: write counts */
		if (i == PLACE)
#ifdef FIXED
			extra += 1;
#else
			counts[i + 1] += 1; /* race: write counts */
#endif
		sum += 1;
	}
	for (int i = 0; i < N; i++)
		wrong += counts[i] < 1;
	return wrong != 0 || sum != N;
}
