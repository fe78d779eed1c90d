/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs for about a second: does little but taking locks, one of 64 at a time, and a critical
 * construct now and then. */
#include <omp.h>

enum { LOCKS = 64, TIMES = 8000000 };

static omp_lock_t locks[LOCKS];
static int counts[LOCKS], all;

int main(void)
{
	int sum = 0;

	for (int i = 0; i < LOCKS; i++)
		omp_init_lock(&locks[i]);
#pragma omp parallel for
	for (int i = 0; i < TIMES; i++) {
		const int lock = (int)((unsigned)i * 2654435761u >> 26);
		omp_set_lock(&locks[lock]);
		counts[lock]++;
		omp_unset_lock(&locks[lock]);
		if (i % 16 == 0) {
#pragma omp critical
			all++;
		}
	}
	for (int i = 0; i < LOCKS; i++) {
		sum += counts[i];
		omp_destroy_lock(&locks[i]);
	}
	return sum != TIMES || all != TIMES / 16;
}
