/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: the result of a loop with nowait is read before a barrier.
 * Until a barrier the original list item is updated by other threads (OpenMP 5.2, 5.5.5). The
 * fixed one has that barrier.
 */
int main(void)
{
	int sum = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
#pragma omp for reduction(+ : sum) nowait /* race: write sum */
		for (int i = 0; i < 100; i++)
			sum += i; /* race: write sum */
#ifdef FIXED
#pragma omp barrier
#endif
		wrong += sum != 4950; /* race: read sum */
	}
	return wrong != 0;
}
