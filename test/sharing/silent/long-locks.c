/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * silent: the threads wait for one lock, which each holds for a long computation; the lock and the
 * sum that it protects seldom change their thread.
 */
#include <omp.h>
#include <stdio.h>

enum { TURNS = 200, STEPS = 200000 };

int main(void)
{
	omp_lock_t lock;
	double total = 0;

	omp_init_lock(&lock);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < TURNS; i++) {
		double part = 0;
		omp_set_lock(&lock);
		for (int j = 0; j < STEPS; j++)
			part += 1.0 / (i + j + 1);
		total += part;
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	printf("%.6f\n", total);
	return 0;
}
