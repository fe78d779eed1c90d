/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suite: histograms of pixels, one for each thread and colour, with few bins, side by side.
 */
#include <omp.h>

enum { PIXELS = 1 << 16, BINS = 8, ROUNDS = 1200, THREADS = 64 };

static struct {
#ifdef FIXED
	_Alignas(64)
#endif
	    int bins[BINS];
} histograms[THREADS];
static _Alignas(64) unsigned char pixels[PIXELS]; /* in lines of its own */

int main(void)
{
	long all = 0;

	for (int i = 0; i < PIXELS; i++)
		pixels[i] = (unsigned char)(i * 37);
#pragma omp parallel
	{
		int *const bins = histograms[omp_get_thread_num()].bins;

		for (int round = 0; round < ROUNDS; round++) {
#pragma omp for nowait
			for (int i = 0; i < PIXELS; i++)
				bins[pixels[i] / 32]++; /* sharing: false histograms */
		}
	}
	for (int thread = 0; thread < THREADS; thread++) {
		for (int bin = 0; bin < BINS; bin++)
			all += histograms[thread].bins[bin];
	}
	return all != (long)PIXELS * ROUNDS;
}
