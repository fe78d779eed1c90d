/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a lock is set whose memory was freed.
 */
#include <omp.h>
#include <stdlib.h>

struct account {
	omp_lock_t lock;
	int balance;
};

int main(void)
{
	struct account *account = calloc(1, sizeof *account);

	omp_init_lock(&account->lock);
#pragma omp parallel num_threads(2)
	{
		omp_set_lock(&account->lock);
		omp_unset_lock(&account->lock);
#pragma omp barrier
#ifndef FIXED
#pragma omp single
		free(account); /* memory: freed */
#pragma omp master
		omp_test_lock(&account->lock); /* memory: lock */
#endif
	}
#ifdef FIXED
	omp_destroy_lock(&account->lock);
	free(account);
#endif
	return 0;
}
