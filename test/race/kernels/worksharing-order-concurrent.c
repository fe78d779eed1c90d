/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: order(concurrent) with pairs of iterations that use one element.
 * Chunks of two iterations keep each pair in one thread, but with order(concurrent) the
 * iterations of a chunk, too, may run at once (OpenMP 5.2, 10.3). The fixed one drops the clause.
 */
static int pairs[50];

int main(void)
{
	int wrong = 0;

#ifdef FIXED
#pragma omp parallel for schedule(static, 2)
#else
#pragma omp parallel for schedule(static, 2) order(concurrent)
#endif
	for (int i = 0; i < 100; i++)
		pairs[i / 2] += i; /* race: write pairs */

	for (int i = 0; i < 50; i++)
		wrong += pairs[i] != 4 * i + 1;
	return wrong != 0;
}
