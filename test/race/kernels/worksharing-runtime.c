/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a histogram under schedule(runtime).
 * Two iterations can fall into one bin, whatever the schedule is. The fixed one increments the
 * bin atomically (OpenMP 5.2, 15.8.4).
 */
static int bins[16];

int main(void)
{
	int total = 0;

#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < 1600; i++) {
		int bin = i * i % 16;
#ifdef FIXED
#pragma omp atomic
#endif
		bins[bin]++; /* race: write bins */
	}
	for (int bin = 0; bin < 16; bin++)
		total += bins[bin];
	return total != 1600;
}
