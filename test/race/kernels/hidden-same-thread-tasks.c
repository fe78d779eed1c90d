/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: tasks so short that the thread which generates them usually executes all of them.
 * Any thread of the team may take one of them (OpenMP 5.2, 12.9). The fixed ones add atomically.
 */
int main(void)
{
	int sum = 0;

#pragma omp parallel
#pragma omp masked
	for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(i) shared(sum)
		{
#ifdef FIXED
#pragma omp atomic
#endif
			sum += i; /* race: write sum */
		}
	}
	return sum != 3;
}
