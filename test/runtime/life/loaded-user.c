/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared object that user-loaded-again opens: all that it knows of OpenMP comes with it.
 */
#include <omp.h>

int run_loaded_user(int threads);

int run_loaded_user(int threads)
{
	int sum = 0;

#pragma omp parallel num_threads(threads) reduction(+ : sum)
	{
#pragma omp barrier
		sum += omp_get_thread_num() + 1;
	}
	return sum;
}
