/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether one measured value grew; each run of both sides has a value. */
#ifndef DIFF_JUDGE_H
#define DIFF_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIFF_PAIRS_MOST 100
#define DIFF_TOO_MANY   SIZE_MAX

/* The values of all runs; a or b is NULL if that side does not have the measured thing. */
struct diff_samples {
	const uint64_t *a, *b;
	size_t count_a, count_b;
	uint64_t whole; /* the whole that a share refers to */
	bool is_time;   /* the values are nanoseconds */
	/*
	 * If the values are estimates from samples: of how many, by run; else NULL. Like a and b,
	 * one is NULL if its side does not have the measured thing.
	 */
	const uint64_t *taken_a, *taken_b;
};

/* The rule for what counts as growth. */
struct diff_rule {
	double threshold;    /* 0.1: more than 10 %; negative: nothing counts */
	uint64_t min_change; /* smaller changes of times do not count */
	double min_share;    /* nor do changes below this share of the whole */
	double chance_max;   /* chance of a false alarm: such values although nothing changed */
	bool paired;         /* run i of one side belongs to run i of the other */
};

struct diff_verdict {
	double ratio;  /* b / a; -1: a side has none, or only 0 */
	double chance; /* of such a clear growth although nothing changed; -1: unknown */
	bool slower;
	bool undecided; /* it may have grown beyond the rule's limit; only with pairs */
	/*
	 * If undecided: about how many more pairs would decide it, if they differ like these;
	 * DIFF_TOO_MANY if that would make more than DIFF_PAIRS_MOST.
	 */
	size_t more_pairs;
};

/* Judges the samples as if they were the only test: chance_max holds for this verdict alone. */
struct diff_verdict diff_judge(const struct diff_rule *rule, const struct diff_samples *samples);

/* Whether the values are large enough to be judged; each judged subject makes the rule stricter. */
bool diff_is_tested(const struct diff_rule *rule, const struct diff_samples *samples);

/*
 * The chance_max for each of `tests` subjects that are tested together, so that the chance of any
 * false alarm is `chance`. If ranks of runs are tested, it is at least the smallest chance that so
 * few runs can show.
 */
double diff_share_chance(
    double chance, size_t tests, bool by_ranks, size_t count_a, size_t count_b);

#endif
