/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: an iteration reads what another one writes 400 iterations later.
 * The distance does not matter: there is no order between any two iterations that different
 * threads execute (OpenMP 5.2, 11.5). The fixed one has two loops, and the barrier between them.
 */
enum { N = 1000, FAR = 400 };

static long a[N], taken[N];

int main(void)
{
	long wrong = 0;

	for (int i = 0; i < N; i++)
		a[i] = i;
#pragma omp parallel
	{
#ifdef FIXED
#pragma omp for
		for (int i = 0; i < N - FAR; i++)
			taken[i] = a[i + FAR];
#pragma omp for
		for (int i = 0; i < N; i++)
			a[i] = -a[i];
#else
#pragma omp for
		for (int i = 0; i < N; i++) {
			if (i < N - FAR)
				taken[i] = a[i + FAR]; /* race: read a */
			a[i] = -a[i];                  /* race: write a */
		}
#endif
	}
	for (int i = 0; i < N - FAR; i++)
		wrong += taken[i] != i + FAR;
	return wrong != 0;
}
