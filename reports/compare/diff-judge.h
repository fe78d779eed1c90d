/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether one measured thing, of which each run of two sides has a value, grew. */
#ifndef DIFF_JUDGE_H
#define DIFF_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIFF_PAIRS_MOST 100
#define DIFF_TOO_MANY   SIZE_MAX

/* The values of all runs; a or b is NULL where that side has no such thing. */
struct diff_samples {
	const uint64_t *a, *b;
	size_t count_a, count_b;
	uint64_t whole; /* what a share is of */
	bool is_time;   /* the values are nanoseconds */
};

/* What counts as growth. */
struct diff_rule {
	double threshold;    /* 0.1: more than 10 %; negative: nothing counts */
	uint64_t min_change; /* of times: less than that does not count */
	double min_share;    /* nor does less than that share of the whole */
	double chance_max;   /* of the same values where nothing changed */
	bool paired;         /* run i of the one side belongs to run i of the other */
};

struct diff_verdict {
	double ratio;  /* of b to a; -1: one side has no such thing, or nothing but 0 */
	double chance; /* of a growth at least as clear where nothing changed; -1: not known */
	bool slower;
	bool undecided; /* it may have grown by more than the rule allows; only of pairs */
	/*
	 * Of what is undecided: about how many more pairs decide it, if they differ as these do;
	 * DIFF_TOO_MANY: with them there would be more than DIFF_PAIRS_MOST.
	 */
	size_t more_pairs;
};

/* The verdict on the samples; chance_max of the rule holds for it alone. */
struct diff_verdict diff_judge(const struct diff_rule *rule, const struct diff_samples *samples);

/* Whether it is large enough to be judged at all: each that is makes the rule stricter. */
bool diff_is_tested(const struct diff_rule *rule, const struct diff_samples *samples);

/*
 * The chance_max for each of `tests` things that are tested together, so that all of them have the
 * chance of a false alarm. Without pairs it is at least what so few runs can show.
 */
double diff_share_chance(double chance, size_t tests, bool paired, size_t count_a, size_t count_b);

#endif
