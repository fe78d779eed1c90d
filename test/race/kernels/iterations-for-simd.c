/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a loop that is shared and has lanes, with one conflict.
 * The fixed one has none.
 */
enum { N = 1024, PLACE = 600 };

static float wave[N + 1];

int main(void)
{
	int wrong = 0;

#pragma omp parallel for simd
	for (int i = 0; i < N; i++) {
		wave[i] = 0.5f; /* race: write wave */
#ifndef FIXED
		if (i == PLACE)
			wave[i + 1] = 0.5f; /* race: write wave */
#endif
	}
	for (int i = 0; i < N; i++)
		wrong += wave[i] != 0.5f;
	return wrong != 0;
}
