/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a task updates two variables that belong together, one of them behind the critical
 * region.
 * The second update is not protected (OpenMP 5.2, 15.2). The fixed region holds both.
 */
int main(void)
{
	int count = 0, sum = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 60; i++) {
#pragma omp task firstprivate(i) shared(count, sum)
		{
#pragma omp critical
			{
				count++;
#ifdef FIXED
				sum += i;
#endif
			}
#ifndef FIXED
			sum += i; /* race: write sum */
#endif
		}
	}
	return count != 60 || sum != 1770;
}
