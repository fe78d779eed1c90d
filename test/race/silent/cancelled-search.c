/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel: a search that ends early, by threads that write what they found atomically.
 * The smallest place is kept by an atomic compare; behind the region it is the result, whichever
 * thread has cancelled.
 */
static int numbers[5000];

int main(void)
{
	int place = 5000, looked = 0;

	for (int i = 0; i < 5000; i++)
		numbers[i] = i * 37 % 5003;
#pragma omp parallel
	{
		int own = 0;

#pragma omp for schedule(dynamic, 20)
		for (int i = 0; i < 5000; i++) {
			own++;
			if (numbers[i] % 1000 == 999) {
#pragma omp atomic compare
				if (i < place) {
					place = i;
				}
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
#pragma omp atomic
		looked += own;
	}
	return place == 5000 || numbers[place] % 1000 != 999 || looked < 1 || looked > 5000;
}
