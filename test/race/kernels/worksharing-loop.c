/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a loop construct whose iterations depend on each other.
 * loop asserts that its iterations may run in any order and at once (OpenMP 5.2, 11.7 and 10.3).
 * The fixed one computes each element by itself.
 */
static int powers[30];

int main(void)
{
	int wrong = 0;

	powers[0] = 1;
#pragma omp parallel
#pragma omp loop bind(parallel)
	for (int i = 1; i < 30; i++)
#ifdef FIXED
		powers[i] = 1 << i;
#else
		powers[i] = powers[i - 1] * 2; /* race: write powers */ /* race: read powers */
#endif
	for (int i = 0; i < 30; i++)
		wrong += powers[i] != 1 << i;
	return wrong != 0;
}
