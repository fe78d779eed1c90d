/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: the last of the values that fulfil a condition is kept in a shared variable.
 * Which thread writes last is open, and nothing orders the writes. The fixed one has lastprivate
 * with the modifier conditional: the value of the last iteration that wrote (OpenMP 5.2, 5.4.5).
 */
static int input[1000];

int main(void)
{
	int place = -1;

	for (int i = 0; i < 1000; i++)
		input[i] = i * 37 % 1000;
#ifdef FIXED
#pragma omp parallel for lastprivate(conditional : place)
#else
#pragma omp parallel for
#endif
	for (int i = 0; i < 1000; i++)
		if (input[i] < 500)
			place = i; /* race: write place */

	int expected = 999;
	while (input[expected] >= 500)
		expected--;
	return place != expected;
}
