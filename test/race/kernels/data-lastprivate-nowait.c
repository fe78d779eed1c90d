/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: the value of a lastprivate variable is read behind a loop with nowait.
 * The original list item has its new value after a barrier only (OpenMP 5.2, 5.4.5). The fixed
 * one has that barrier.
 */
int main(void)
{
	int wrong = 0;
	int last = -1;

#pragma omp parallel reduction(+ : wrong)
	{
#pragma omp for lastprivate(last) nowait /* race: write last */
		for (int i = 0; i < 500; i++)
			last = i * 2;
#ifdef FIXED
#pragma omp barrier
#endif
		wrong += last != 998; /* race: read last */
	}
	return wrong != 0;
}
