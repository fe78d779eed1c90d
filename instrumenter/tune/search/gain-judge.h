/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides whether a candidate is a gain over its reference, by pairs of runs in random order. A
 * difference is the logarithm of the reference's value minus that of the candidate's in one pair:
 * above 0, the candidate is better. The order makes a difference as likely as its opposite if the
 * candidate changes nothing, whatever the noise is: drifting, with outliers, or both.
 */
#ifndef GAIN_JUDGE_H
#define GAIN_JUDGE_H

#include <stddef.h>

/* How often a comparison is looked at for a gain. */
#define GAIN_LOOKS 4

#define GAIN_PAIRS_MOST 64

struct gain_rule {
	double least; /* the least gain that counts, as a logarithm */
	double level; /* the chance of a false gain in all looks together; above 1e-4 */
};

enum gain_verdict {
	GAIN_OPEN,      /* more pairs are needed */
	GAIN_SURE,      /* the interval is above 0, and the estimate is at least the least gain */
	GAIN_SMALL,     /* surely below the least gain; perhaps slower */
	GAIN_UNDECIDED, /* not sure after the last look */
};

struct gain_judgement {
	enum gain_verdict verdict;
	double estimate;  /* the most likely difference */
	double low, high; /* its interval; infinite while there are too few pairs */
};

/*
 * The next number of pairs above `count` at which gain_judge() may be called; 0 after the last one.
 */
size_t gain_next_count(const struct gain_rule *rule, size_t count);

/* Judges the first pairs, whose number is one of gain_next_count(). */
struct gain_judgement gain_judge(
    const struct gain_rule *rule, const double *differences, size_t count);

#endif
