/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: a dependence over the border of two chunks of a large grainsize.
 * Each task has at least 100 iterations, and only the first one of a task reads what another task
 * writes (OpenMP 5.2, 12.6.1). The fixed one reads from another array.
 */
enum { N = 400 };

static int before[N], after[N];

int main(void)
{
	int wrong = 0;

	for (int i = 0; i < N; i++)
		before[i] = i;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(100)
	for (int i = 1; i < N; i++) {
#ifdef FIXED
		after[i] = before[i - 1] + 1;
#else
		after[i] = after[i - 1] + 1; /* race: write after */ /* race: read after */
#endif
	}
	for (int i = 0; i < N; i++)
		wrong += after[i] != i;
	return wrong != 0;
}
