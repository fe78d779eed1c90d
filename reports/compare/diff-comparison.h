/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Both sides of a comparison: their matched regions, and the verdict on each region and on the
 * whole. Each command prints them in its own way.
 */
#ifndef DIFF_COMPARISON_H
#define DIFF_COMPARISON_H

#include "diff-findings.h"
#include "diff-judge.h"
#include "diff-side.h"

/* Both verdicts on one subject: by its time, and by its counter if a counter is compared. */
struct diff_verdicts {
	struct diff_samples times, counts;
	struct diff_verdict time, counter;
	bool has_counter;
};

/* A region that both sides have, or only one. */
struct diff_row {
	const struct summary_region *region; /* the second side's if that side has it */
	const struct diff_region *a, *b;     /* NULL: only the other side has it */
	struct diff_verdicts verdicts;
	enum diff_state state;
	size_t more_pairs; /* if undecided: pairs needed to decide, as in diff_verdict */
	bool faster;       /* set only if both directions are judged */
};

struct diff_comparison {
	const struct options *options;
	struct diff_side a, b;
	/* The wholes that shares refer to: medians of b's runs. */
	uint64_t time_whole, counter_whole;
	struct diff_rule rule;
	struct diff_row *rows; /* b's regions in their order, then those that only a has */
	size_t row_count;
	size_t tests;          /* number of subjects large enough to be judged */
	struct diff_row whole; /* the wall time and the sum of the counter; not a region */
};

/*
 * Finds how many archives the options name before and after "vs"; without that word there must be
 * two. Returns false after printing an error message.
 */
bool diff_find_sides(
    const struct options *options, const char *command, size_t *first, size_t *second);

/*
 * Whether --paired is possible: both sides have the same number of runs. Returns false after
 * printing an error message.
 */
bool diff_check_pairs(
    const struct options *options, const char *command, size_t first, size_t second);

/*
 * Reads the first `first` and the last `second` archives and matches their regions. Returns the
 * exit status, 0 for success; the caller must finish the comparison in either case.
 */
int diff_comparison_read(
    struct diff_comparison *comparison, const struct options *options, size_t first, size_t second);

/* The same for runs that another comparison has read, which must be finished later. */
int diff_comparison_borrow(struct diff_comparison *comparison, const struct diff_comparison *other,
    const struct options *options);
void diff_comparison_finish(struct diff_comparison *comparison);

/*
 * Judges the whole and all rows; options->chance is divided among everything that is tested. With
 * both_ways, `faster` is judged by the same rule with the sides exchanged. A row that is slower by
 * one measure and faster by the other counts as slower.
 */
void diff_comparison_judge(
    struct diff_comparison *comparison, const struct diff_rule *rule, bool both_ways);

/* Whether a side has several runs; without them a change cannot be distinguished from noise. */
bool diff_has_several_runs(const struct diff_comparison *comparison);

/* The medians over the side's runs; diff_efficiency() is negative if it is not measured. */
uint64_t diff_median_capacity(const struct diff_side *side);
double diff_median_share(const struct diff_side *side, double (*share_of)(const struct report *));
double diff_efficiency(const struct report *run);

#endif
