/* SPDX-License-Identifier: BSD-3-Clause */
/* Several masters: what two contention groups share is ordered by critical, and only by that. */
#include <pthread.h>

#include "plant.h"

static int plain;

static void *master(void *unused)
{
	for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(2)
		{
			SYNCHRONISE("omp critical")
			plain++;
		}
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		CHECK_EQUAL(pthread_create(&threads[i], NULL, master, NULL), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	CHECK_RESULT(plain, 40);
	return check_result();
}
