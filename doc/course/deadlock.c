/* SPDX-License-Identifier: BSD-3-Clause */
/* Exercise 5: each thread fills its cell of a ring, then adds its neighbour's to a total. */
#include <omp.h>
#include <stdio.h>

enum { THREADS = 2 };

struct cell {
	omp_lock_t lock; /* held while value is written or read */
	double value;
};

static struct cell ring[THREADS];

int main(void)
{
	double total = 0;

	for (int i = 0; i < THREADS; i++)
		omp_init_lock(&ring[i].lock);
#pragma omp parallel num_threads(THREADS) reduction(+ : total)
	{
		struct cell *mine = &ring[omp_get_thread_num()];
		struct cell *next = &ring[(omp_get_thread_num() + 1) % omp_get_num_threads()];

		omp_set_lock(&mine->lock);
		mine->value = omp_get_thread_num() + 1;
#pragma omp barrier
		omp_set_lock(&next->lock);
		total += mine->value * next->value;
		omp_unset_lock(&next->lock);
		omp_unset_lock(&mine->lock);
	}
	printf("%.0f\n", total);
	return 0;
}
