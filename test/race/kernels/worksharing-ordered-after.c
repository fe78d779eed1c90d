/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: what an ordered region writes is read behind it, by the same iteration.
 * Behind its ordered region an iteration runs beside the regions of the next ones (OpenMP 5.2,
 * 15.10.2). The fixed one copies within the region.
 */
int main(void)
{
	long running = 0;
	long total = 0;

#pragma omp parallel for ordered reduction(+ : total) schedule(dynamic, 3)
	for (int i = 0; i < 300; i++) {
		long copy = 0;

#pragma omp ordered
		{
			running += i; /* race: write running */
#ifdef FIXED
			copy = running;
#endif
		}
#ifndef FIXED
		copy = running; /* race: read running */
#endif
		total += copy;
	}
	return total != 4499950;
}
