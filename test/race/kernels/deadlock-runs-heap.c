/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: two locks of an array in the heap, in an order that depends on which thread gets what.
 * The initial thread allocates it, so that an element is the same lock in each run. No run of the
 * plan has both orders. In the fixed program each thread that gets one of the two iterations has
 * locks of its own.
 */
#include <omp.h>
#include <stdlib.h>

struct account {
	omp_lock_t lock;
	int money;
};

static void pay(struct account *from, struct account *to)
{
	omp_set_lock(&from->lock); /* deadlock: lock from->lock */
	omp_set_lock(&to->lock);   /* deadlock: lock to->lock */
	from->money--;
	to->money++;
	omp_unset_lock(&to->lock);
	omp_unset_lock(&from->lock);
}

int main(void)
{
	struct account *accounts = calloc(4, sizeof *accounts);

	for (int i = 0; i < 4; i++)
		omp_init_lock(&accounts[i].lock);
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
		if (i == 2 && omp_get_thread_num() == 0)
			pay(&accounts[0], &accounts[1]);
#ifdef FIXED
		if (i == 1 && omp_get_thread_num() == 1)
			pay(&accounts[3], &accounts[2]);
#else
		if (i == 1 && omp_get_thread_num() == 1)
			pay(&accounts[1], &accounts[0]);
#endif
	}
	for (int i = 0; i < 4; i++)
		omp_destroy_lock(&accounts[i].lock);
	free(accounts);
	return 0;
}
