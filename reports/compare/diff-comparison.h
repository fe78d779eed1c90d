/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Both sides of a comparison: their regions matched, and the verdict on each region and on the
 * whole. How a command prints them is its own.
 */
#ifndef DIFF_COMPARISON_H
#define DIFF_COMPARISON_H

#include "diff-findings.h"
#include "diff-judge.h"
#include "diff-side.h"

/* Both verdicts on one thing: by its time, and by its counter, where that is compared. */
struct diff_verdicts {
	struct diff_samples times, counts;
	struct diff_verdict time, counter;
	bool has_counter;
};

/* A region of both sides, or of one. */
struct diff_row {
	const struct summary_region *region; /* the second side's, where that has it */
	const struct diff_region *a, *b;     /* NULL: only the other side has it */
	struct diff_verdicts verdicts;
	enum diff_state state;
	size_t more_pairs; /* that decide it, where it is undecided, as in diff_verdict */
	bool faster;       /* only where both directions are judged */
};

struct diff_comparison {
	const struct options *options;
	struct diff_side a, b;
	uint64_t time_whole, counter_whole; /* what shares are of: the medians of b's runs */
	struct diff_rule rule;
	struct diff_row *rows; /* b's regions in their order, then those that only a has */
	size_t row_count;
	size_t tests;          /* how many things were large enough to be judged */
	struct diff_row whole; /* the wall time, and the sum of the counter; no region */
};

/*
 * How many archives the options name before "vs" and after it; without the word there are two.
 * False after a message of the command.
 */
bool diff_find_sides(
    const struct options *options, const char *command, size_t *first, size_t *second);

/* Whether --paired can be: both sides have as many runs. False after a message of the command. */
bool diff_check_pairs(
    const struct options *options, const char *command, size_t first, size_t second);

/*
 * Reads the first and the last `second` archives and matches their regions. The exit status, 0 when
 * all went well; the caller finishes the comparison in any case.
 */
int diff_comparison_read(
    struct diff_comparison *comparison, const struct options *options, size_t first, size_t second);
void diff_comparison_finish(struct diff_comparison *comparison);

/*
 * Judges the whole and all rows; options->chance is shared out among all that is tested. `faster`
 * is judged when both_ways is set, by the same rule with the sides exchanged; what then would be
 * both, slower by one of the two measures and faster by the other one, is slower.
 */
void diff_comparison_judge(
    struct diff_comparison *comparison, const struct diff_rule *rule, bool both_ways);

/* Whether a side has several runs, without which a change cannot be distinguished from noise. */
bool diff_has_several_runs(const struct diff_comparison *comparison);

/* The medians over the side's runs; the efficiency is negative where it is not measured. */
uint64_t diff_median_capacity(const struct diff_side *side);
double diff_median_share(const struct diff_side *side, double (*share_of)(const struct report *));
double diff_efficiency(const struct report *run);

#endif
