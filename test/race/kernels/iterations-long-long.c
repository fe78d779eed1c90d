/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a loop over unsigned long long beyond the signed range; one pair of iterations
 * conflicts. The fixed one reads the array of the inputs.
 */
enum { N = 700, PLACE = 222 };

#define FIRST 0x8000000000000000ull

static double in[N + 1], out[N + 1];

int main(void)
{
	int wrong = 0;

	for (int i = 0; i <= N; i++)
		in[i] = i;
#pragma omp parallel for
	for (unsigned long long i = FIRST; i < FIRST + N; i++) {
		unsigned long long at = i - FIRST;
		double value = 2 * in[at];
		if (at == PLACE)
#ifdef FIXED
			value += in[at + 1];
#else
			value += out[at + 1]; /* race: read out */
#endif
		out[at] = value; /* race: write out */
	}
	for (int i = 0; i < N; i++)
		wrong += i != PLACE && out[i] != 2.0 * i;
	return wrong != 0;
}
