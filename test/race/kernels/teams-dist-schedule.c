/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: chunks of a distribute construct that differ between two loops of one league.
 * The second loop reads what other teams have written, and no barrier is between the loops (OpenMP
 * 5.2, 11.6.1). The fixed loops have the same chunks.
 */
enum { N = 96 };

static int a[N], b[N];

int main(void)
{
	int wrong = 0;

#pragma omp teams num_teams(4)
	{
#pragma omp distribute dist_schedule(static, 8)
		for (int i = 0; i < N; i++)
			a[i] = i; /* race: write a */
#ifdef FIXED
#pragma omp distribute dist_schedule(static, 8)
#else
#pragma omp distribute dist_schedule(static, 12)
#endif
		for (int i = 0; i < N; i++)
			b[i] = a[i] + 1; /* race: read a */
	}
	for (int i = 0; i < N; i++)
		wrong += b[i] != i + 1;
	return wrong != 0;
}
