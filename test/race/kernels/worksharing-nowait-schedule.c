/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: two loops with nowait between them, where both use the same elements.
 * Only loops of the same schedule, chunk and number of iterations give each thread the same
 * iterations (OpenMP 5.2, 11.5): these differ in their chunks. The fixed loops are alike, so that
 * each thread reads what it has written.
 */
enum { N = 600 };

static int a[N], b[N];

int main(void)
{
	int wrong = 0;

#pragma omp parallel
	{
#pragma omp for schedule(static, 4) nowait
		for (int i = 0; i < N; i++)
			a[i] = i + 1; /* race: write a */
#ifdef FIXED
#pragma omp for schedule(static, 4) nowait
#else
#pragma omp for schedule(static, 6) nowait
#endif
		for (int i = 0; i < N; i++)
			b[i] = 2 * a[i]; /* race: read a */
	}
	for (int i = 0; i < N; i++)
		wrong += b[i] != 2 * i + 2;
	return wrong != 0;
}
