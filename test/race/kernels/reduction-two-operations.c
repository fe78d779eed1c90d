/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: a variable is counted by a reduction, and by its original through a pointer.
 * The pointer leads to the original list item, not to the thread's copy (OpenMP 5.2, 5.5.8), so
 * that threads write it at once. The fixed one counts in the copy.
 */
int main(void)
{
	int count = 0;
	int *original = &count;

#pragma omp parallel for reduction(+ : count)
	for (int i = 0; i < 200; i++) {
		count++;
#ifdef FIXED
		count++;
#else
		(*original)++; /* race: write count */
#endif
	}
	return *original != 400;
}
