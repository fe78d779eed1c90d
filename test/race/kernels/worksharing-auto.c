/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a running sum in place, with the schedule left to the implementation.
 * With auto any mapping of iterations to threads is allowed (OpenMP 5.2, 11.5.3), so none may
 * depend on the one before. The fixed one uses the closed form of the sum.
 */
static long sums[512];

int main(void)
{
	int wrong = 0;

#pragma omp parallel for schedule(auto)
	for (int i = 1; i < 512; i++) {
#ifdef FIXED
		sums[i] = (long)i * (i + 1) / 2;
#else
		long until = sums[i - 1]; /* race: read sums */
		sums[i] = until + i;      /* race: write sums */
#endif
	}
	for (int i = 0; i < 512; i++)
		wrong += sums[i] != (long)i * (i + 1) / 2;
	return wrong != 0;
}
