/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a loop that counts down, in which one iteration reads its successor's element.
 * The fixed one reads its own.
 */
enum { N = 800, PLACE = 333 };

static long series[N];

int main(void)
{
	int wrong = 0;
	long seen = 0;

#pragma omp parallel for reduction(+ : seen)
	for (int i = N - 1; i > 0; i--) {
		series[i] = 3L * i; /* race: write series */
		if (i == PLACE)
#ifdef FIXED
			seen += series[i];
#else
			seen += series[i - 1]; /* race: read series */
#endif
	}
	for (int i = 1; i < N; i++)
		wrong += series[i] != 3L * i;
	return wrong != 0 || seen < 0;
}
