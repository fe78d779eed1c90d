/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sections share: medians, and verdicts in words. */
#include <stdlib.h>

#include "comparison-page.h"
#include "memory.h"
#include "rank-sum.h"

size_t comparison_page_typical_run(const struct diff_side *side)
{
	uint64_t median = diff_median(side->walls, side->count), least = UINT64_MAX;
	size_t typical = 0;

	for (size_t i = 0; i < side->count; i++) {
		uint64_t wall = side->walls[i];
		uint64_t distance = wall > median ? wall - median : median - wall;

		if (distance < least) {
			least = distance;
			typical = i;
		}
	}
	return typical;
}

uint64_t comparison_median(const uint64_t *values, const struct diff_side *side)
{
	return values ? diff_median(values, side->count) : 0;
}

/*
 * The smallest chance that the runs can show depends on their number: for pairs it is 1 / 2^pairs,
 * otherwise rank_sum_least_chance().
 */
char *comparison_why_unknown(const struct diff_comparison *comparison)
{
	size_t a = comparison->a.count, b = comparison->b.count;
	double least;

	if (!diff_has_several_runs(comparison))
		return memory_print(
		    "With one run on each side a change cannot be distinguished from noise: compare "
		    "several, made in turn: ompreport html BEFORE... vs AFTER...");
	least = comparison->rule.paired ? 1 / (double)(1ULL << (a < 60 ? a : 60))
					: rank_sum_least_chance(b, a);
	if (least <= comparison->options->chance * (1 + 1e-9))
		return NULL;
	return memory_print(
	    "%zu and %zu runs cannot show a change that chance explains in less than 1 of %.0f "
	    "cases: compare more runs, at least %s.",
	    a, b, 1 / least, comparison->rule.paired ? "five pairs" : "three on each side");
}

const char *const comparison_verdict_names[VERDICTS] = {
    [VERDICT_UNKNOWN] = "unknown",
    [VERDICT_NOISE] = "within noise",
    [VERDICT_UNDECIDED] = "undecided",
    [VERDICT_SLOWER] = "slower",
    [VERDICT_FASTER] = "faster",
    [VERDICT_NEW] = "new",
    [VERDICT_GONE] = "gone",
};

enum verdict comparison_verdict(
    const struct diff_comparison *comparison, const struct diff_row *row)
{
	char *unknown;

	if (row->region && !(row->a && row->b))
		return row->b ? VERDICT_NEW : VERDICT_GONE;
	unknown = comparison_why_unknown(comparison);
	free(unknown);
	return unknown                        ? VERDICT_UNKNOWN
	       : row->state == DIFF_SLOWER    ? VERDICT_SLOWER
	       : row->faster                  ? VERDICT_FASTER
	       : row->state == DIFF_UNDECIDED ? VERDICT_UNDECIDED
					      : VERDICT_NOISE;
}

bool comparison_has_changed(enum verdict verdict)
{
	return verdict == VERDICT_SLOWER || verdict == VERDICT_FASTER;
}
