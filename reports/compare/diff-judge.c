/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A growth counts if it is large enough and not explained by chance. Runs that were made in turn
 * are compared pair by pair, so that slow changes (a clock's rate, a neighbour) affect both sides
 * of a difference alike. Other runs are compared as two samples.
 */
#include "diff-judge.h"

#include <math.h>
#include <stdlib.h>

#include "common/signed-rank.h"
#include "diff-side.h"
#include "memory.h"
#include "rank-sum.h"

/* The chance that a growth beyond the rule's limit is missed, that is, decided as no growth. */
#define MISSED 0.05

/* Up to so many samples their distribution is computed, beyond by the normal approximation. */
#define BINOMIAL_EXACT 1000

/* The largest growth that does not count, for the value `before`. */
static double allowed_growth(
    const struct diff_rule *rule, const struct diff_samples *samples, double before)
{
	double growth = fmax(before * rule->threshold, (double)samples->whole * rule->min_share);

	return samples->is_time ? fmax(growth, (double)rule->min_change) : growth;
}

bool diff_is_tested(const struct diff_rule *rule, const struct diff_samples *samples)
{
	uint64_t after;

	if (!samples->a || !samples->b)
		return false;
	after = diff_median(samples->b, samples->count_b);
	return after != SUMMARY_NOT_MEASURED &&
	       (double)after >= (double)samples->whole * rule->min_share &&
	       (!samples->is_time || after >= rule->min_change);
}

/* The verdict on the differences of the pairs, which may differ from those of the samples. */
static struct diff_verdict judge_differences(const struct diff_rule *rule,
    const struct diff_samples *samples, const double *differences, size_t count)
{
	double before = (double)diff_median(samples->a, samples->count_a), allowed, most;
	struct diff_verdict verdict = {.more_pairs = 0};

	verdict.ratio = (double)expl(signed_rank_estimate(differences, count));
	verdict.chance = signed_rank_chance(differences, count);
	most = (double)expl(signed_rank_most(differences, count, MISSED));
	allowed = allowed_growth(rule, samples, before);
	verdict.slower = verdict.ratio > 1 && before * (verdict.ratio - 1) > allowed &&
			 verdict.chance <= rule->chance_max;
	verdict.undecided = !verdict.slower && (before + 1) * (most - 1) > allowed;
	return verdict;
}

/*
 * The logarithms of the ratios, which the caller frees. 1 is added to each value because a run may
 * have 0.
 */
static double *differences_of(const struct diff_samples *samples)
{
	double *differences = memory_new(samples->count_a, sizeof(differences[0]));

	for (size_t i = 0; i < samples->count_a; i++)
		differences[i] = (double)(logl((long double)samples->b[i] + 1) -
					  logl((long double)samples->a[i] + 1));
	return differences;
}

static struct diff_verdict judge_pairs(
    const struct diff_rule *rule, const struct diff_samples *samples)
{
	double *differences = differences_of(samples);
	struct diff_verdict verdict =
	    judge_differences(rule, samples, differences, samples->count_a);

	free(differences);
	return verdict;
}

static int compare_doubles(const void *left, const void *right)
{
	double one = *(const double *)left, other = *(const double *)right;

	return (one > other) - (one < other);
}

/*
 * Makes `wanted` values with the distribution of the sorted ones: their quantiles, linearly
 * interpolated.
 */
static void stretch(const double *sorted, size_t count, double *values, size_t wanted)
{
	for (size_t i = 0; i < wanted; i++) {
		double place = ((double)i + 0.5) / (double)wanted * (double)count - 0.5;
		size_t below = place > 0 ? (size_t)place : 0;
		size_t above = below + 1 < count ? below + 1 : below;
		double part = fmax(place, 0) - (double)below;

		values[i] = sorted[below] + part * (sorted[above] - sorted[below]);
	}
}

/*
 * Computes diff_verdict.more_pairs: tries numbers of pairs whose differences are distributed like
 * those of the samples. Takes the least number from which on all larger ones decide, because ranks
 * are discrete and a single number may decide by accident.
 */
static size_t more_pairs(const struct diff_rule *rule, const struct diff_samples *samples)
{
	size_t count = samples->count_a, more = DIFF_TOO_MANY;
	double *sorted = differences_of(samples), values[DIFF_PAIRS_MOST];

	qsort(sorted, count, sizeof(sorted[0]), compare_doubles);
	for (size_t all = count + 1; all <= DIFF_PAIRS_MOST; all += 1 + all / 10) {
		stretch(sorted, count, values, all);
		if (judge_differences(rule, samples, values, all).undecided)
			more = DIFF_TOO_MANY;
		else if (more == DIFF_TOO_MANY)
			more = all - count;
	}
	free(sorted);
	return more;
}

/*
 * If both values are the same time, each of all samples is one of b's with probability `share`.
 * Returns how likely b then has at least as many as here.
 */
static double binomial_chance(uint64_t all, uint64_t of_b, double share)
{
	double n = (double)all, mean = n * share, chance = 0;

	if (all > BINOMIAL_EXACT)
		return erfc(((double)of_b - 0.5 - mean) / sqrt(2 * mean * (1 - share))) / 2;
	for (uint64_t i = of_b; i <= all; i++) {
		double k = (double)i;

		chance += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(share) +
			      (n - k) * log(1 - share));
	}
	return fmin(chance, 1);
}

/* The chance of a growth of one run's estimate, by the samples that it was made of. */
static double sampling_chance(const struct diff_samples *samples)
{
	uint64_t of_a = samples->taken_a[0], of_b = samples->taken_b[0];
	double each_a = of_a > 0 ? (double)samples->a[0] / (double)of_a : 1;
	double each_b = of_b > 0 ? (double)samples->b[0] / (double)of_b : each_a;

	if (of_a == 0)
		each_a = each_b;
	return of_b > 0 ? binomial_chance(of_a + of_b, of_b, each_a / (each_a + each_b)) : 1;
}

static struct diff_verdict judge_samples(
    const struct diff_rule *rule, const struct diff_samples *samples)
{
	double before = (double)diff_median(samples->a, samples->count_a);
	double growth = (double)diff_median(samples->b, samples->count_b) - before;
	struct diff_verdict verdict = {
	    .ratio = before > 0 ? growth / before + 1 : -1, .chance = -1};

	if (samples->count_a > 1 || samples->count_b > 1)
		verdict.chance =
		    rank_sum_chance(samples->b, samples->count_b, samples->a, samples->count_a);
	else if (samples->taken_a && samples->taken_b)
		verdict.chance = sampling_chance(samples);
	verdict.slower = growth > 0 && growth > before * rule->threshold &&
			 growth >= allowed_growth(rule, samples, before) &&
			 verdict.chance <= rule->chance_max;
	return verdict;
}

struct diff_verdict diff_judge(const struct diff_rule *rule, const struct diff_samples *samples)
{
	struct diff_verdict verdict = {.ratio = -1, .chance = -1};

	if (samples->a && samples->b)
		verdict = (rule->paired ? judge_pairs : judge_samples)(rule, samples);
	else if (samples->a)
		verdict.ratio = 0;
	if (rule->threshold < 0 || !diff_is_tested(rule, samples))
		verdict.slower = verdict.undecided = false;
	if (verdict.undecided)
		verdict.more_pairs = more_pairs(rule, samples);
	return verdict;
}

double diff_share_chance(double chance, size_t tests, bool by_ranks, size_t count_a, size_t count_b)
{
	double least = by_ranks ? rank_sum_least_chance(count_b, count_a) : 0;
	double each = chance / (double)(tests > 0 ? tests : 1);

	/* Rounding must not exclude the most significant result. */
	return each > least ? each : least * (1 + 1e-9);
}
