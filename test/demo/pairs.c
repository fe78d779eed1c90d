/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The demo: counts the pairs of points by their distance. It gives the right answer on any number
 * of threads and is slower than it should be for three everyday reasons, which its profile shows:
 *   - the loop over pairs is a triangle, split into equal halves of the rows (static schedule);
 *   - every row adds its histogram to the shared one inside a critical, bin by bin;
 *   - the bins are then summed by a tree of tasks that do next to nothing each.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 6000, BINS = 64, PASSES = 3 };

static double x[POINTS], y[POINTS];
static long histogram[BINS];

/* A small linear congruential generator: the same points everywhere. */
static double next_coordinate(void)
{
	static unsigned long long state = 20;

	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (double)(state >> 11) / 9007199254740992.0;
}

static void count_pairs(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < POINTS; i++) {
		long mine[BINS] = {0};

		for (int j = i + 1; j < POINTS; j++) {
			double distance = hypot(x[i] - x[j], y[i] - y[j]);

			mine[(int)(distance * (BINS / 1.5))]++;
		}
		for (int bin = 0; bin < BINS; bin++) {
#pragma omp critical(histogram)
			histogram[bin] += mine[bin];
		}
	}
}

static long sum_bins(int first, int count)
{
	long left, right;

	if (count == 1)
		return histogram[first];
#pragma omp task shared(left)
	left = sum_bins(first, count / 2);
	right = sum_bins(first + count / 2, count - count / 2);
#pragma omp taskwait
	return left + right;
}

int main(void)
{
	long pairs = 0;

	for (int i = 0; i < POINTS; i++) {
		x[i] = next_coordinate();
		y[i] = next_coordinate();
	}
	for (int pass = 0; pass < PASSES; pass++)
		count_pairs();
#pragma omp parallel
#pragma omp single
	for (int repeat = 0; repeat < 5000; repeat++)
		pairs = sum_bins(0, BINS);
	printf("%ld pairs\n", pairs);
	return pairs == (long)PASSES * POINTS * (POINTS - 1) / 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
