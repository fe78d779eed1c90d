/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a thread holds the lock of its own store while it puts an item into the owner's.
 * Item 1 is of thread 0, item 2 of thread 1. With equal parts thread 0 gets both, and with chunks
 * of 1 thread 1 gets item 1: no run of the plan has both orders, but nothing forbids it. The fixed
 * one takes the lower lock first.
 */
#include <omp.h>

enum { ITEMS = 64, STORES = 16 };
static omp_lock_t stores[STORES];
static int items[STORES];

static void put(int thread, int owner)
{
#ifdef FIXED
	int first = thread < owner ? thread : owner;
#else
	int first = thread;
#endif

	if (thread == owner || thread >= STORES)
		return;
	omp_set_lock(&stores[first]);                  /* deadlock: lock stores[] */
	omp_set_lock(&stores[thread + owner - first]); /* deadlock: lock stores[] */
	items[thread]--;
	items[owner]++;
	omp_unset_lock(&stores[thread]);
	omp_unset_lock(&stores[owner]);
}

int main(void)
{
	for (int i = 0; i < STORES; i++)
		omp_init_lock(&stores[i]);
#pragma omp parallel for
	for (int i = 0; i < ITEMS; i++)
		if (i == 1 || i == 2)
			put(omp_get_thread_num(), i - 1);
	for (int i = 0; i < STORES; i++)
		omp_destroy_lock(&stores[i]);
	return 0;
}
