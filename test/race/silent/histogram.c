/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: one histogram in three ways: array reduction, atomic updates, and a copy for each
 * thread that is added under a lock. All three have to agree.
 */
#include <omp.h>
#include <string.h>

enum { VALUES = 20000, BINS = 32 };

static unsigned char values[VALUES];

int main(void)
{
	int reduced[BINS] = {0}, updated[BINS] = {0}, added[BINS] = {0};
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel for
	for (int i = 0; i < VALUES; i++)
		values[i] = (unsigned char)(i * i % 251 % BINS);
#pragma omp parallel for reduction(+ : reduced[:BINS])
	for (int i = 0; i < VALUES; i++)
		reduced[values[i]]++;
#pragma omp parallel for schedule(guided)
	for (int i = 0; i < VALUES; i++) {
#pragma omp atomic
		updated[values[i]]++;
	}
#pragma omp parallel
	{
		int own[BINS] = {0};

#pragma omp for nowait
		for (int i = 0; i < VALUES; i++)
			own[values[i]]++;
		omp_set_lock(&lock);
		for (int bin = 0; bin < BINS; bin++)
			added[bin] += own[bin];
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	return memcmp(reduced, updated, sizeof reduced) || memcmp(reduced, added, sizeof reduced);
}
