/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The statistic is the sum of the ranks of the growths among the differences, ranked by size. Its
 * exact distribution: if nothing changed, each rank is in the sum or not, like the toss of a coin.
 * The same number counts the means of two differences (each also with itself) that are above zero;
 * the bound follows from this.
 */
#include "signed-rank.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "memory.h"

static size_t pairs_of(size_t count)
{
	return count * (count + 1) / 2;
}

static double normal_chance(size_t count, double sum)
{
	double n = (double)count;
	double deviation = sqrt(n * (n + 1) * (2 * n + 1) / 24);

	return 0.5 * erfc((sum - 0.5 - n * (n + 1) / 4) / deviation / sqrt(2));
}

/* The probabilities of a sum of at least 0, 1, ... pairs_of(count); the caller frees them. */
static double *chances_of_sums(size_t count)
{
	size_t most = pairs_of(count);
	double *chances = memory_new(most + 2, sizeof(chances[0])), above = 0;

	chances[0] = 1;
	for (size_t rank = 1; rank <= count && count <= SIGNED_RANK_EXACT; rank++) {
		for (size_t sum = most + 1; sum-- > 0;)
			chances[sum] =
			    chances[sum] / 2 + (sum >= rank ? chances[sum - rank] / 2 : 0);
	}
	for (size_t sum = most + 1; sum-- > 0;) {
		above += chances[sum];
		chances[sum] =
		    count <= SIGNED_RANK_EXACT ? above : normal_chance(count, (double)sum);
	}
	return chances;
}

/* Orders by size; of equals the growth comes first, so that it gets the lower rank. */
static int compare_sizes(const void *left, const void *right)
{
	double one = *(const double *)left, other = *(const double *)right;

	if (fabs(one) != fabs(other))
		return fabs(one) > fabs(other) ? 1 : -1;
	return (one < other) - (one > other);
}

static int compare_values(const void *left, const void *right)
{
	double one = *(const double *)left, other = *(const double *)right;

	return (one > other) - (one < other);
}

double signed_rank_chance(const double *differences, size_t count)
{
	double *sorted = memory_new(count, sizeof(sorted[0])), *chances = chances_of_sums(count);
	size_t sum = 0;
	double chance;

	for (size_t i = 0; i < count; i++)
		sorted[i] = differences[i];
	qsort(sorted, count, sizeof(sorted[0]), compare_sizes);
	for (size_t i = 0; i < count; i++)
		sum += sorted[i] > 0 ? i + 1 : 0;
	chance = chances[sum];
	free(sorted);
	free(chances);
	return chance;
}

/* The pairs_of(count) means of any two differences, in ascending order; the caller frees them. */
static double *sorted_means(const double *differences, size_t count)
{
	double *means = memory_new(pairs_of(count), sizeof(means[0]));
	size_t filled = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = i; j < count; j++)
			means[filled++] = differences[i] / 2 + differences[j] / 2;
	qsort(means, filled, sizeof(means[0]), compare_values);
	return means;
}

double signed_rank_estimate(const double *differences, size_t count)
{
	double *means = sorted_means(differences, count);
	size_t pairs = pairs_of(count);
	double estimate = means[(pairs - 1) / 2] / 2 + means[pairs / 2] / 2;

	free(means);
	return estimate;
}

double signed_rank_most(const double *differences, size_t count, double level)
{
	double *chances = chances_of_sums(count), most = INFINITY;
	size_t pairs = pairs_of(count), above = 0;

	/*
	 * By symmetry, a sum of at most `above` is as likely as one of at least pairs - above. If
	 * that is unlikely enough, more than `above` means exceed the true difference.
	 */
	while (above < pairs && chances[pairs - above] <= level)
		above++;
	if (above > 0) {
		double *means = sorted_means(differences, count);

		most = means[pairs - above];
		free(means);
	}
	free(chances);
	return most;
}
