/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel: threads look for an element, and who finds one cancels the loop.
 * cancel ends the others at their next cancellation point only (OpenMP 5.2, 16.1): two threads can
 * find one and write. In the fixed one the write is atomic; each element is a right answer.
 */
static int numbers[1000];

int main(void)
{
	int place = -1;

	for (int i = 0; i < 1000; i++)
		numbers[i] = i % 10;
#pragma omp parallel
	{
#pragma omp for schedule(static, 5)
		for (int i = 0; i < 1000; i++) {
			if (numbers[i] == 4) {
#ifdef FIXED
#pragma omp atomic write
#endif
				place = i; /* race: write place */
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
	}
	return place < 0 || place % 10 != 4;
}
