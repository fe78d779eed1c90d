/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunk: schedule(static,1) gives neighbouring elements of a small array to different threads, and
 * each element is written many times.
 */
enum { BINS = 64, STEPS = 480000 };

static _Alignas(64) double bins[BINS]; /* a thread's part begins with a line */

int main(void)
{
	double all = 0;

#ifdef FIXED
#pragma omp parallel for schedule(static)
#else
#pragma omp parallel for schedule(static, 1)
#endif
	for (int bin = 0; bin < BINS; bin++) {
		volatile double *const mine = &bins[bin];

		for (int step = 0; step < STEPS; step++)
			*mine += 0.5; /* sharing: false bins */
	}
	for (int bin = 0; bin < BINS; bin++)
		all += bins[bin];
	return all != 0.5 * BINS * STEPS;
}
