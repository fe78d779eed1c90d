/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: each iteration reads what the one before it writes.
 * Iterations of a worksharing loop may be executed by different threads, without any order
 * among them (OpenMP 5.2, 11.5). The fixed one reads from the array of the step before.
 */
enum { N = 1000 };

static int before[N], after[N];

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < N; i++)
		before[i] = after[i] = i;
#pragma omp parallel for schedule(static)
	for (int i = 1; i < N; i++)
#ifdef FIXED
		after[i] = before[i - 1] + 2;
#else
		after[i] = after[i - 1] + 2; /* race: write after */ /* race: read after */
#endif
	for (int i = 1; i < N; i++)
		wrong += after[i] != i + 1;
	return wrong != 0;
}
