/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The statistic is the sum of the ranks of the growths among the differences, ranked by size. Its
 * exact distribution: if nothing changed, each rank is in the sum or not, like the toss of a coin.
 * The same number counts the means of two differences (each also with itself) that are above zero;
 * the bound follows from this.
 */
#include "common/signed-rank.h"

#include <math.h>
#include <stdlib.h>

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

/* The probabilities of a sum of at least 0, 1, ... pairs_of(count). */
struct chances {
	size_t count;
	double exact[SIGNED_RANK_EXACT * (SIGNED_RANK_EXACT + 1) / 2 + 2];
};

static void chances_init(struct chances *chances, size_t count)
{
	size_t most = pairs_of(count);
	double *exact = chances->exact, above = 0;

	chances->count = count;
	if (count > SIGNED_RANK_EXACT)
		return;
	for (size_t sum = 0; sum <= most + 1; sum++)
		exact[sum] = sum == 0;
	for (size_t rank = 1; rank <= count; rank++) {
		for (size_t sum = most + 1; sum-- > 0;)
			exact[sum] = exact[sum] / 2 + (sum >= rank ? exact[sum - rank] / 2 : 0);
	}
	for (size_t sum = most + 1; sum-- > 0;) {
		above += exact[sum];
		exact[sum] = above;
	}
}

static double chance_of(const struct chances *chances, size_t sum)
{
	return chances->count <= SIGNED_RANK_EXACT ? chances->exact[sum]
						   : normal_chance(chances->count, (double)sum);
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
	double *sorted = calloc(count + 1, sizeof(sorted[0]));
	struct chances chances = {0};
	size_t sum = 0;

	if (sorted == NULL)
		return 1;
	for (size_t i = 0; i < count; i++)
		sorted[i] = differences[i];
	qsort(sorted, count, sizeof(sorted[0]), compare_sizes);
	for (size_t i = 0; i < count; i++)
		sum += sorted[i] > 0 ? i + 1 : 0;
	free(sorted);
	chances_init(&chances, count);
	return chance_of(&chances, sum);
}

/* The pairs_of(count) means of any two differences, in ascending order; the caller frees them. */
static double *sorted_means(const double *differences, size_t count)
{
	double *means = calloc(pairs_of(count) + 1, sizeof(means[0]));
	size_t filled = 0;

	if (means == NULL)
		return NULL;
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
	double estimate = means != NULL ? means[(pairs - 1) / 2] / 2 + means[pairs / 2] / 2 : NAN;

	free(means);
	return estimate;
}

double signed_rank_most(const double *differences, size_t count, double level)
{
	struct chances chances = {0};
	double most = INFINITY;
	size_t pairs = pairs_of(count), above = 0;

	chances_init(&chances, count);
	/*
	 * By symmetry, a sum of at most `above` is as likely as one of at least pairs - above. If
	 * that is unlikely enough, more than `above` means exceed the true difference.
	 */
	while (above < pairs && chance_of(&chances, pairs - above) <= level)
		above++;
	if (above > 0) {
		double *means = sorted_means(differences, count);

		most = means != NULL ? means[pairs - above] : INFINITY;
		free(means);
	}
	return most;
}
