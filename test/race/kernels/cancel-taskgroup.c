/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel: the tasks of a search cancel their taskgroup, each with its own result.
 * Tasks that have begun go on until their end or a cancellation point (OpenMP 5.2, 16.1), so that
 * two of them write. The fixed ones write in a critical region, and only the first result.
 */
static int numbers[200000];

/* Whether the part of the numbers has one that is wanted. */
static int has_wanted(int part)
{
	int found = 0;

	for (int i = 5000 * part; i < 5000 * part + 5000; i++)
		found += numbers[i] % 5000 == 4999;
	return found > 0;
}

int main(void)
{
	int result = -1;

	for (int i = 0; i < 200000; i++)
		numbers[i] = i;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
	for (int i = 0; i < 40; i++) {
#pragma omp task firstprivate(i) shared(result)
		{
			if (has_wanted(i)) {
#ifdef FIXED
#pragma omp critical
				if (result < 0)
					result = i;
#else
				result = i; /* race: write result */
#endif
#pragma omp cancel taskgroup
			}
		}
	}
	return result < 0 || result >= 40;
}
