/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: smallest and largest value of each thread, in an array of pairs that is read
 * afterwards.
 */
#include <omp.h>

enum { LENGTH = 1 << 16, ROUNDS = 1200, THREADS = 64 };

static struct {
#ifdef FIXED
	_Alignas(128)
#endif
	    volatile int smallest,
	    largest;
} bounds[THREADS];
static int values[LENGTH];

int main(void)
{
	int largest = 0;

	for (int i = 0; i < LENGTH; i++)
		values[i] = i;
#pragma omp parallel
	for (int round = 0; round < ROUNDS; round++) {
		int me = omp_get_thread_num();

		bounds[me].smallest = LENGTH;
		bounds[me].largest = 0;
#pragma omp for nowait
		for (int i = 0; i < LENGTH; i++) {
			if (values[i] < bounds[me].smallest) /* sharing: false bounds */
				bounds[me].smallest = values[i];
			if (values[i] > bounds[me].largest)     /* sharing: false bounds */
				bounds[me].largest = values[i]; /* sharing: false bounds */
		}
	}
	for (int thread = 0; thread < THREADS; thread++)
		largest = bounds[thread].largest > largest ? bounds[thread].largest : largest;
	return largest != LENGTH - 1;
}
