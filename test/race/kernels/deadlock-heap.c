/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: money goes from account to account, with the locks of both, in any direction.
 * Two transfers between the same accounts can wait for each other. The fixed one sets the lock of
 * the account with the lower number first.
 */
#include <omp.h>
#include <stdlib.h>

struct account {
	omp_lock_t lock;
	int number;
	long money;
};

static void transfer(struct account *from, struct account *to, long money)
{
#ifdef FIXED
	struct account *first = from->number < to->number ? from : to;
	struct account *second = first == from ? to : from;
#else
	struct account *first = from;
	struct account *second = to;
#endif

	omp_set_lock(&first->lock);  /* deadlock: lock first->lock */
	omp_set_lock(&second->lock); /* deadlock: lock second->lock */
	from->money -= money;
	to->money += money;
	omp_unset_lock(&second->lock);
	omp_unset_lock(&first->lock);
}

int main(void)
{
	struct account *bank = calloc(2, sizeof *bank);

	for (int i = 0; i < 2; i++) {
		omp_init_lock(&bank[i].lock);
		bank[i].number = i;
	}
#pragma omp parallel
	{
		int from = omp_get_thread_num() % 2;
		transfer(&bank[from], &bank[1 - from], 10);
	}
	for (int i = 0; i < 2; i++)
		omp_destroy_lock(&bank[i].lock);
	free(bank);
	return 0;
}
