/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wilcoxon's signed rank test at few fixed numbers of pairs, each with its part of the chance of a
 * false gain. The first look is at the least number of pairs that can be clear enough, and each
 * further one at half as many more. One earlier look can only give up, which makes no false gain.
 */
#include "gain-judge.h"

#include "common/signed-rank.h"
#include "shared/precondition.h"

#include <math.h>
#include <stdbool.h>

/* The chance that a gain of exactly the least size is given up at one look. */
#define MISSED 0.02

/* The least number of pairs at which a comparison can be given up: 2 to the power of -6 < MISSED.
 */
enum { FIRST_TO_GIVE_UP = 6 };

static double level_of_look(const struct gain_rule *rule)
{
	return rule->level / GAIN_LOOKS;
}

static size_t pairs_of_look(const struct gain_rule *rule, unsigned look)
{
	/* All differences above 0 have the chance 2 to the power of -pairs. */
	double pairs = ceil(-log2(level_of_look(rule)));

	for (; look > 0; look--)
		pairs = ceil(1.5 * pairs);
	return (size_t)pairs;
}

size_t gain_next_count(const struct gain_rule *rule, size_t count)
{
	if (count < FIRST_TO_GIVE_UP)
		return FIRST_TO_GIVE_UP;
	for (unsigned look = 0; look < GAIN_LOOKS; look++)
		if (pairs_of_look(rule, look) > count)
			return pairs_of_look(rule, look);
	return 0;
}

/* The lower bound of the difference is the upper one of its opposite. */
static double least_difference(const double *differences, size_t count, double level)
{
	double opposite[GAIN_PAIRS_MOST];

	for (size_t i = 0; i < count; i++)
		opposite[i] = -differences[i];
	return -signed_rank_most(opposite, count, level);
}

struct gain_judgement gain_judge(
    const struct gain_rule *rule, const double *differences, size_t count)
{
	CHECK(count > 0 && count <= GAIN_PAIRS_MOST, "between 1 and GAIN_PAIRS_MOST pairs");
	const double level = level_of_look(rule);
	struct gain_judgement judgement = {
	    .estimate = signed_rank_estimate(differences, count),
	    .low = least_difference(differences, count, level),
	    .high = signed_rank_most(differences, count, level),
	};
	bool is_look = count >= pairs_of_look(rule, 0);

	if (is_look && judgement.estimate >= rule->least &&
	    signed_rank_chance(differences, count) <= level)
		judgement.verdict = GAIN_SURE;
	else if (signed_rank_most(differences, count, MISSED) < rule->least)
		judgement.verdict = GAIN_SMALL;
	else if (gain_next_count(rule, count) == 0)
		judgement.verdict = GAIN_UNDECIDED;
	return judgement;
}
