/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: linear gives each iteration its own index; in one of them it is one too high.
 * The fixed one uses the index as it is.
 */
enum { N = 400, PLACE = 250 };

static int packed[2 * N + 2];

int main(void)
{
	int wrong = 0, to = 0;

#pragma omp parallel for linear(to : 2)
	for (int i = 0; i < N; i++) {
#ifdef FIXED
		packed[to] = i;
#else
		packed[to + (i == PLACE ? 2 : 0)] = i; /* race: write packed */
#endif
		to += 2;
	}
	for (int i = 0; i < N; i++)
		wrong += packed[2 * i] != i;
#ifdef FIXED
	return wrong != 0 || to != 2 * N;
#else
	return wrong < 0;
#endif
}
