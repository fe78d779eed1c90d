/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: only the last chunk of the loop touches a neighbour's element.
 * The guard lets it happen for one iteration in a thousand (OpenMP 5.2, 11.5). The fixed one saves
 * that element before the loop.
 */
enum { N = 1000 };

static int ring[N];

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < N; i++)
		ring[i] = i;
#ifdef FIXED
	int first = ring[0];
#endif
#pragma omp parallel for schedule(dynamic, 50)
	for (int i = 0; i < N; i++) {
#ifdef FIXED
		ring[i] += i == N - 1 ? first : 1;
#else
		ring[i] += i == N - 1 ? ring[0] : 1; /* race: read ring */ /* race: write ring */
#endif
	}
	for (int i = 0; i < N - 1; i++)
		wrong += ring[i] != i + 1;
	return wrong != 0;
}
