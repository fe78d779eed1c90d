/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: an array of locks, and the wrong one for one of two buckets.
 * An item moves from one bucket to the next, but only the first one's lock is set (OpenMP 5.2,
 * 18.9). The fixed one sets that of each bucket while it changes it.
 */
#include <omp.h>

enum { BUCKETS = 4 };

static omp_lock_t locks[BUCKETS];
static int filling[BUCKETS];

int main(void)
{
	int total = 0;

	for (int b = 0; b < BUCKETS; b++) {
		omp_init_lock(&locks[b]);
		filling[b] = 1000;
	}
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 500; i++) {
		int from = i % BUCKETS, to = (i + 1) % BUCKETS;

		omp_set_lock(&locks[from]);
		filling[from]--; /* race: write filling */
#ifdef FIXED
		omp_unset_lock(&locks[from]);
		omp_set_lock(&locks[to]);
		filling[to]++;
		omp_unset_lock(&locks[to]);
#else
		filling[to]++; /* race: write filling */
		omp_unset_lock(&locks[from]);
#endif
	}
	for (int b = 0; b < BUCKETS; b++)
		total += filling[b];
	return total != BUCKETS * 1000;
}
