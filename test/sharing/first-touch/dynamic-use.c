/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule mismatch: parallel initialization by parts that stay, and uses by whichever thread
 * comes. */
#include <pthread.h>
#include <stdio.h>

enum { PART = 1 << 15, SWEEPS = 24 };

static double parts[2][PART];
static pthread_barrier_t both;

int main(void)
{
	pthread_barrier_init(&both, NULL, 2);
#pragma omp parallel for num_threads(2) schedule(static)
	for (int part = 0; part < 2; part++)
		for (int i = 0; i < PART; i++)
			parts[part][i] = i; /* touched: parts */
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
#ifdef FIXED
#pragma omp parallel for num_threads(2) schedule(static)
#else
#pragma omp parallel for num_threads(2) schedule(dynamic)
#endif
		for (int turn = 0; turn < 2; turn++) {
#ifdef FIXED
			const int part = turn;
#else
			const int part = (turn + sweep) % 2;
#endif
			/* Each thread has one, also where they do not run at the same time. */
			pthread_barrier_wait(&both);
			for (int i = 0; i < PART; i++)
				parts[part][i] += 1; /* sharing: first parts */
		}
	}
	printf("%g\n", parts[1][PART - 1]);
	return 0;
}
