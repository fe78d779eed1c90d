/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: many threads write the same value into one variable.
 * That all of them write the same does not matter: two writes that nothing orders are a race
 * (OpenMP 5.2, 1.4.1). The fixed one writes atomically.
 */
static int numbers[2000];

int main(void)
{
	int found = 0;

	for (int i = 0; i < 2000; i++)
		numbers[i] = i % 7;
#pragma omp parallel for
	for (int i = 0; i < 2000; i++)
		if (numbers[i] == 3) {
#ifdef FIXED
#pragma omp atomic write
#endif
			found = 1; /* race: write found */
		}
	return found != 1;
}
