/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several threads of the program are masters of regions at the same time: each has its own team,
 * its own numbers and ICVs; critical regions and locks hold between all of them.
 * OpenMP 5.1, 1.3 (contention groups).
 */
#include <omp.h>
#include <pthread.h>

#include "check.h"

#define MASTERS 4
#define ROUNDS  10

static int in_critical;
static int times[MASTERS][40];
static int plain; /* critical protects it across teams */

static void *master(void *argument)
{
	int me = (int)(long)argument;

	omp_set_dynamic(0);
	omp_set_num_threads(me + 1);
	for (int round = 0; round < ROUNDS; round++) {
		int arrived = 0;

		CHECK_EQUAL(omp_get_level(), 0);
		CHECK_EQUAL(omp_get_max_threads(), me + 1);
#pragma omp parallel
		{
			CHECK_EQUAL(omp_get_num_threads(), me + 1);
			count(&arrived);
#pragma omp barrier
			CHECK_EQUAL(__atomic_load_n(&arrived, __ATOMIC_RELAXED), me + 1);
#pragma omp for schedule(dynamic)
			for (int i = 0; i < 40; i++)
				count(&times[me][i]);
#pragma omp critical
			{
				CHECK_EQUAL(count(&in_critical), 0);
				plain++;
				__atomic_sub_fetch(&in_critical, 1, __ATOMIC_RELAXED);
			}
#pragma omp single
			for (int i = 0; i < 40; i++) {
#pragma omp task
				count(&times[me][i]);
			}
		}
		CHECK_ALL(times[me], 40, 2 * (round + 1));
	}
	return NULL;
}

int main(void)
{
	int threads = omp_get_max_threads();
	pthread_t masters[MASTERS];

	for (long i = 0; i < MASTERS; i++)
		CHECK_EQUAL(pthread_create(&masters[i], NULL, master, (void *)i), 0);
	for (int i = 0; i < MASTERS; i++)
		pthread_join(masters[i], NULL);
	CHECK_EQUAL(plain, ROUNDS * (1 + 2 + 3 + 4));
	CHECK_EQUAL(omp_get_max_threads(), threads);
	return check_result();
}
