/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a loop over unsigned with a step of three; one iteration writes the next one's
 * element. The fixed one writes an element that no iteration has.
 */
#define N 1500u

static unsigned values[N + 3];

int main(void)
{
	unsigned wrong = 0;

#pragma omp parallel for
	for (unsigned i = 0; i < N; i += 3) {
		values[i] = i; /* race: write values */
		if (i == 600)
#ifdef FIXED
			values[i + 1] = i;
#else
			values[i + 3] = i + 3; /* race: write values */
#endif
	}
	for (unsigned i = 0; i < N; i += 3)
		wrong += values[i] != i;
	return wrong != 0;
}
