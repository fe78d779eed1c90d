/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a second index that goes up by two in each iteration is shared.
 * The fixed one lists it as linear: each iteration has the value that belongs to it, and the
 * original one gets the last value at the end (OpenMP 5.2, 5.4.6).
 */
static int packed[200];

int main(void)
{
	int wrong = 0;
	int to = 0;

#ifdef FIXED
#pragma omp parallel for linear(to : 2)
#else
#pragma omp parallel for
#endif
	for (int i = 0; i < 100; i++) {
		packed[to] = i; /* race: read to */
		to += 2;        /* race: write to */
	}
	for (int i = 0; i < 100; i++)
		wrong += packed[2 * i] != i;
	return wrong != 0 || to != 200;
}
