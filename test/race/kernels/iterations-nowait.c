/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a loop with nowait, and one iteration of the next loop reads its neighbour's element.
 * The fixed loop ends with its barrier.
 */
enum { N = 600, PLACE = 200 };

static int a[N + 1], b[N];

int main(void)
{
	int wrong = 0;

#pragma omp parallel
	{
#ifdef FIXED
#pragma omp for
#else
#pragma omp for nowait
#endif
		for (int i = 0; i < N; i++)
			a[i] = i + 1; /* race: write a */
#pragma omp for
		for (int i = 0; i < N; i++)
			b[i] = i == PLACE ? a[i + 1] - 1 : i + 1; /* race: read a */
	}
	for (int i = 0; i < N; i++)
		wrong += b[i] != i + 1;
	return wrong != 0;
}
