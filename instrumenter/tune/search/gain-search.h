/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Searches the settings, and combinations of them, with which something measured gets better. What
 * is measured, and how, is the caller's: a value's logarithm, of which less is better.
 *
 * First each setting alone is tried with few pairs, and the better half goes on (successive
 * halving). Nothing is concluded from these pairs. The few that remain are compared with new pairs
 * until a gain is sure, or surely too small. The best is then combined with the others one by one,
 * each time compared with what is best so far. At last the best is compared with the unchanged
 * subject once more, and is a gain only if that comparison is sure, too. The chance that any gain
 * of a search is false is at most GAIN_FALSE.
 */
#ifndef GAIN_SEARCH_H
#define GAIN_SEARCH_H

#include "gain-judge.h"

#include <stdbool.h>
#include <stdint.h>

/* A set of settings, one bit each. The empty set is the unchanged subject. */
typedef uint64_t gain_set;

enum {
	GAIN_SETTINGS_MOST = 64,
	GAIN_COMBINED_MOST = 6, /* comparisons of combinations with the best so far */
	GAIN_TRIALS_MOST = GAIN_SETTINGS_MOST + GAIN_COMBINED_MOST + 3,
	GAIN_SCREENED_MOST = 8,
};

#define GAIN_FALSE 0.002

enum gain_measured {
	GAIN_MEASURED,
	GAIN_EXCLUDED, /* this set cannot be used; never for the empty one */
	GAIN_ENDED,    /* nothing more can be measured */
};

struct gain_subject {
	unsigned setting_count;
	const gain_set *excludes; /* by setting: those with which it cannot be combined */
	double least;             /* the least gain that counts, as a logarithm */
	unsigned affordable;      /* about how many measurements there can be; 0: any number */
	uint64_t seed;
	enum gain_measured (*measure)(void *context, gain_set set, double *value);
	/* What begins: how many candidates are compared now, for the n-th time; or NULL. */
	void (*begin)(void *context, const char *what, size_t candidates);
	void *context;
};

enum gain_state {
	GAIN_TRIED,    /* the search ended before anything was decided */
	GAIN_UNUSABLE, /* excluded */
	GAIN_UNSEEN,   /* given up after few pairs: too little in sight */
	GAIN_BEHIND,   /* given up after few pairs: others were better */
	GAIN_JUDGED,   /* compared: judgement has the verdict */
};

/* A set and its comparison with a reference. */
struct gain_trial {
	gain_set set, reference;
	enum gain_state state;
	bool again; /* compared before: this comparison shows whether the gain stays */
	double screened[GAIN_SCREENED_MOST]; /* differences of the first few pairs */
	size_t screened_count;
	double differences[GAIN_PAIRS_MOST]; /* of those that are judged */
	size_t count;
	struct gain_judgement judgement; /* its estimate may be of the first few pairs; NAN: none */
};

struct gain_result {
	struct gain_trial trials[GAIN_TRIALS_MOST]; /* settings alone first, then combinations */
	size_t trial_count;
	gain_set best;   /* empty: no gain is sure */
	size_t best_one; /* the trial of the best against the unchanged subject, if there is one */
	bool has_whole;  /* that trial is judged, and a sure gain */
	bool confirmed;  /* it is the comparison once more; else the search ended before that */
	bool ended;      /* before everything was decided */
};

void gain_search(const struct gain_subject *subject, struct gain_result *result);

/*
 * After a search: compares one more set with the unchanged subject, at a level of GAIN_FALSE of its
 * own, and adds its trial. The best stays what it is. Returns the trial; at most once.
 */
const struct gain_trial *gain_search_compare(
    const struct gain_subject *subject, struct gain_result *result, gain_set set);

#endif
