/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The statistic is the number of pairs in which the value of the first sample is greater. Its exact
 * distribution: the number of ways in which k of n ranks exceed the others in s pairs follows from
 * that for n - 1 ranks, because the highest rank either belongs to the k (and exceeds the n - k
 * others) or does not.
 */
#include "rank-sum.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

static size_t count_greater(
    const uint64_t *greater, size_t greater_count, const uint64_t *smaller, size_t smaller_count)
{
	size_t pairs = 0;

	for (size_t i = 0; i < greater_count; i++)
		for (size_t j = 0; j < smaller_count; j++)
			pairs += greater[i] > smaller[j];
	return pairs;
}

/*
 * The fraction of all ways in which k of the n ranks exceed the others in at least `pairs` pairs.
 */
static double exact_chance(size_t k, size_t n, size_t pairs)
{
	size_t most = k * (n - k), width = most + 1;
	double *ways = memory_new((k + 1) * width, sizeof(ways[0])), all = 0, enough = 0;

	ways[0] = 1;
	for (size_t rank = 1; rank <= n; rank++) {
		/*
		 * Now for `rank` ranks. `taken` goes down, so that the values for one rank less are
		 * still there.
		 */
		for (size_t taken = rank < k ? rank : k; taken > 0; taken--) {
			size_t exceeded = rank - taken;
			double *row = &ways[taken * width], *before = row - width;

			for (size_t s = most + 1; s-- > exceeded;)
				row[s] += before[s - exceeded];
		}
	}
	for (size_t s = 0; s <= most; s++) {
		all += ways[k * width + s];
		enough += s >= pairs ? ways[k * width + s] : 0;
	}
	free(ways);
	return enough / all;
}

static double normal_chance(size_t k, size_t n, size_t pairs)
{
	double product = (double)k * (double)(n - k);
	double deviation = sqrt(product * (double)(n + 1) / 12);

	return 0.5 * erfc(((double)pairs - 0.5 - product / 2) / deviation / sqrt(2));
}

double rank_sum_chance(
    const uint64_t *greater, size_t greater_count, const uint64_t *smaller, size_t smaller_count)
{
	size_t n = greater_count + smaller_count;
	size_t pairs = count_greater(greater, greater_count, smaller, smaller_count);

	return (n <= RANK_SUM_EXACT ? exact_chance : normal_chance)(greater_count, n, pairs);
}

double rank_sum_least_chance(size_t greater_count, size_t smaller_count)
{
	double chance = 1;

	for (size_t i = 1; i <= greater_count; i++)
		chance *= (double)i / (double)(smaller_count + i);
	return chance;
}
