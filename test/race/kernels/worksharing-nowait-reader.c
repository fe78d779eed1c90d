/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: behind a loop with nowait a second one reads its results in reverse order.
 * A thread that is through may begin with the second loop while others still write (OpenMP 5.2,
 * 15.6). The fixed one keeps the implicit barrier.
 */
enum { N = 1000 };

static int first[N], second[N];

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
			first[i] = 3 * i; /* race: write first */
#pragma omp for
		for (int i = 0; i < N; i++)
			second[i] = first[N - 1 - i]; /* race: read first */
	}
	for (int i = 0; i < N; i++)
		wrong += second[i] != 3 * (N - 1 - i);
	return wrong != 0;
}
