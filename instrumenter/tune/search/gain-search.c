/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A block is one measurement of the reference and one of each of a few candidates, in random order:
 * as good as a pair for each of them, with fewer measurements. All pairs are made of blocks.
 */
#include "gain-search.h"

#include "common/signed-rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	BLOCK = 4,       /* candidates in a block */
	FIRST_LOOK = 16, /* pairs, at most, after which a gain can be sure */
	DISTANCES = 256, /* of unchanged measurements that are kept */
	COMPARED = 4,    /* settings alone that are compared until something is sure */
	ROUNDS = 3,      /* of the first few pairs */
};

/* Pairs of each round. */
static const size_t round_pairs[ROUNDS] = {2, 2, 4};

struct search {
	const struct gain_subject *subject;
	struct gain_result *result;
	uint64_t random;
	unsigned measured;
	double unchanged;            /* the last value of the unchanged subject; NAN: none */
	double distances[DISTANCES]; /* between its values, one after the other */
	size_t distance_count;
};

/* Trials, by their numbers. */
struct list {
	size_t items[GAIN_TRIALS_MOST];
	size_t count;
};

/* SplitMix64. */
static uint64_t next_random(struct search *search)
{
	uint64_t mixed = search->random += UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ (mixed >> 31);
}

static void shuffle(struct search *search, size_t *items, size_t count)
{
	for (size_t left = count; left > 1; left--) {
		size_t chosen = next_random(search) % left, kept = items[left - 1];
		items[left - 1] = items[chosen];
		items[chosen] = kept;
	}
}

static struct gain_trial *trial_at(struct search *search, const struct list *list, size_t index)
{
	return &search->result->trials[list->items[index]];
}

static size_t add_trial(struct search *search, gain_set set, gain_set reference)
{
	search->result->trials[search->result->trial_count] =
	    (struct gain_trial){.set = set, .reference = reference, .judgement.estimate = NAN};
	return search->result->trial_count++;
}

/* The settings with which a set cannot be combined, except itself. */
static gain_set excluded_by(const struct search *search, gain_set set)
{
	gain_set excluded = 0;

	for (unsigned i = 0; i < search->subject->setting_count; i++)
		if ((set >> i & 1) != 0)
			excluded |= search->subject->excludes[i];
	return excluded;
}

static bool is_usable(const struct gain_trial *trial)
{
	return trial->state != GAIN_UNUSABLE;
}

static void note_unchanged(struct search *search, double value)
{
	if (!isnan(search->unchanged) && search->distance_count < DISTANCES)
		search->distances[search->distance_count++] = fabs(value - search->unchanged);
	search->unchanged = value;
}

/*
 * Measures a block of trials with one reference. Each gets a difference in values[], or becomes
 * unusable. False: the search has ended, and no value counts.
 */
static bool measure_block(
    struct search *search, const size_t *trials, size_t count, double values[BLOCK])
{
	const struct gain_subject *subject = search->subject;
	struct gain_trial *all = search->result->trials;
	double measured[BLOCK + 1] = {0};
	size_t order[BLOCK + 1];

	for (size_t i = 0; i <= count; i++)
		order[i] = i;
	shuffle(search, order, count + 1);
	for (size_t i = 0; i <= count; i++) {
		size_t which = order[i];
		gain_set set = which < count ? all[trials[which]].set : all[trials[0]].reference;
		enum gain_measured end = subject->measure(subject->context, set, &measured[which]);
		if (end == GAIN_ENDED || (end == GAIN_EXCLUDED && which == count)) {
			search->result->ended = true;
			return false;
		}
		search->measured++;
		if (end == GAIN_EXCLUDED)
			all[trials[which]].state = GAIN_UNUSABLE;
		else if (set == 0)
			note_unchanged(search, measured[which]);
	}
	for (size_t i = 0; i < count; i++)
		values[i] = measured[count] - measured[i];
	return true;
}

/* One more pair for each trial of the list: a screened one, or one that is judged. */
static bool measure_pairs(struct search *search, struct list *list, bool judged)
{
	double values[BLOCK];

	shuffle(search, list->items, list->count);
	for (size_t begin = 0; begin < list->count; begin += BLOCK) {
		size_t count = list->count - begin < BLOCK ? list->count - begin : BLOCK;
		if (!measure_block(search, &list->items[begin], count, values))
			return false;
		for (size_t i = 0; i < count; i++) {
			struct gain_trial *trial = trial_at(search, list, begin + i);
			if (!is_usable(trial))
				continue;
			if (judged)
				trial->differences[trial->count++] = values[i];
			else
				trial->screened[trial->screened_count++] = values[i];
		}
	}
	return true;
}

/* Removes the trials that `stays` says no to. */
static void filter(
    struct search *search, struct list *list, bool (*stays)(const struct gain_trial *trial))
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if (stays(trial_at(search, list, i)))
			list->items[kept++] = list->items[i];
	list->count = kept;
}

/* Puts the best estimates first; few trials, and equal ones keep their order. */
static void sort_by_estimate(struct search *search, struct list *list)
{
	for (size_t i = 1; i < list->count; i++) {
		size_t item = list->items[i], at = i;
		double estimate = search->result->trials[item].judgement.estimate;
		for (; at > 0 && trial_at(search, list, at - 1)->judgement.estimate < estimate;
		     at--)
			list->items[at] = list->items[at - 1];
		list->items[at] = item;
	}
}

static int compare_values(const void *left, const void *right)
{
	double one = *(const double *)left, other = *(const double *)right;

	return (one > other) - (one < other);
}

/*
 * The standard deviation of one difference, robust against outliers: from how far neighbouring
 * pairs of the same trial are apart, in all trials, and neighbouring unchanged measurements.
 */
static double spread_of(struct search *search, const struct list *list)
{
	double apart[GAIN_TRIALS_MOST * GAIN_SCREENED_MOST + DISTANCES];
	size_t count = 0;

	/* Two single values are as far apart as a pair is from 0; two pairs are further apart. */
	for (size_t i = 0; i < search->distance_count; i++)
		apart[count++] = sqrt(2) * search->distances[i];
	for (size_t i = 0; i < list->count; i++) {
		const struct gain_trial *trial = trial_at(search, list, i);
		for (size_t k = 1; k < trial->screened_count; k++)
			apart[count++] = fabs(trial->screened[k] - trial->screened[k - 1]);
	}
	if (count == 0)
		return 0;
	qsort(apart, count, sizeof apart[0], compare_values);
	/* The median of the distance of two normal values is 0.954 standard deviations. */
	return apart[count / 2] / 0.954;
}

static bool is_tried(const struct gain_trial *trial)
{
	return trial->state == GAIN_TRIED;
}

/* Is a better trial in the list that cannot be combined with this one? */
static bool has_better_rival(struct search *search, const struct list *sorted, size_t index)
{
	gain_set rivals = excluded_by(search, trial_at(search, sorted, index)->set);

	for (size_t i = 0; i < index; i++)
		if ((trial_at(search, sorted, i)->set & rivals) != 0)
			return true;
	return false;
}

/* How many trials can be compared with the measurements that are left after `more` of them. */
static size_t comparable(const struct search *search, size_t more)
{
	size_t used = search->measured + more, all = search->subject->affordable, most = COMPARED;

	if (all == 0)
		return most;
	while (most > 0 && used + FIRST_LOOK * (most + 1) > all)
		most--;
	return most;
}

/*
 * Gives up what shows too little after a round, and the worse half of the rest, but never the best
 * of rivals.
 */
static void halve(struct search *search, struct list *list)
{
	double spread = spread_of(search, list);

	for (size_t i = 0; i < list->count; i++) {
		struct gain_trial *trial = trial_at(search, list, i);
		double doubt = 2.5 * spread / sqrt((double)trial->screened_count);

		trial->judgement.estimate =
		    signed_rank_estimate(trial->screened, trial->screened_count);
		if (trial->judgement.estimate + doubt < search->subject->least)
			trial->state = GAIN_UNSEEN;
	}
	filter(search, list, is_tried);
	sort_by_estimate(search, list);
	size_t half = list->count / 2 > COMPARED ? list->count / 2 : COMPARED;
	for (size_t i = half; i < list->count; i++)
		if (has_better_rival(search, list, i))
			trial_at(search, list, i)->state = GAIN_BEHIND;
	filter(search, list, is_tried);
}

static bool has_rivals(struct search *search, const struct list *sorted)
{
	for (size_t i = 0; i < sorted->count; i++)
		if (has_better_rival(search, sorted, i))
			return true;
	return false;
}

/* Pairs of a round; the first has one only if two of all would leave too little for comparing. */
static size_t pairs_of_round(const struct search *search, size_t round, size_t trials)
{
	size_t pairs = round_pairs[round];

	return round == 0 && comparable(search, 2 * pairs * trials) < COMPARED ? 1 : pairs;
}

/* Is another round of use, and can anything be compared after it? */
static bool goes_on(struct search *search, size_t round, const struct list *list)
{
	if (round == 0)
		return list->count > 0;
	if (list->count <= COMPARED && !has_rivals(search, list))
		return false;
	return list->count > 0 && comparable(search, 2 * round_pairs[round] * list->count) > 0;
}

/* The first few pairs of all settings alone. The list then has those that are to be compared. */
static bool screen(struct search *search, struct list *list)
{
	for (size_t round = 0; round < ROUNDS && goes_on(search, round, list); round++) {
		size_t pairs = pairs_of_round(search, round, list->count);
		if (search->subject->begin != NULL)
			search->subject->begin(
			    search->subject->context, "compared by a few runs", list->count);
		for (size_t pair = 0; pair < pairs; pair++) {
			if (!measure_pairs(search, list, false))
				return false;
			filter(search, list, is_usable);
		}
		halve(search, list);
	}
	size_t kept = 0, most = comparable(search, 0) > 0 ? comparable(search, 0) : 1;
	for (size_t i = 0; i < list->count; i++)
		if (kept >= most || has_better_rival(search, list, i))
			trial_at(search, list, i)->state = GAIN_BEHIND;
		else
			kept++;
	filter(search, list, is_tried);
	return true;
}

/* Compares the trials, each at the level, until all are decided. */
static bool compare(struct search *search, const struct list *trials, double level)
{
	const struct gain_rule rule = {search->subject->least, level};
	struct list open = *trials;

	for (size_t count = 0; (count = gain_next_count(&rule, count)) != 0 && open.count > 0;) {
		while (open.count > 0 && trial_at(search, &open, 0)->count < count) {
			if (!measure_pairs(search, &open, true))
				return false;
			filter(search, &open, is_usable);
		}
		for (size_t i = 0; i < open.count; i++) {
			struct gain_trial *trial = trial_at(search, &open, i);
			trial->judgement = gain_judge(&rule, trial->differences, trial->count);
			if (trial->judgement.verdict != GAIN_OPEN)
				trial->state = GAIN_JUDGED;
		}
		filter(search, &open, is_tried);
	}
	return true;
}

static bool is_sure(const struct gain_trial *trial)
{
	return trial->state == GAIN_JUDGED && trial->judgement.verdict == GAIN_SURE;
}

/* What may add to the best: what seems to be a gain, and is not known to bring too little. */
static bool may_add(const struct search *search, const struct gain_trial *trial)
{
	bool is_open = trial->state == GAIN_BEHIND ||
		       (trial->state == GAIN_JUDGED && trial->judgement.verdict == GAIN_UNDECIDED);

	return is_sure(trial) || (is_open && trial->judgement.estimate >= search->subject->least);
}

/* The settings alone that may add to the best, best first. */
static void list_additions(struct search *search, gain_set best, struct list *list)
{
	gain_set excluded = excluded_by(search, best) | best;
	size_t kept = 0;

	*list = (struct list){.count = 0};
	for (size_t i = 0; i < search->result->trial_count; i++)
		if (may_add(search, &search->result->trials[i]) &&
		    (search->result->trials[i].set & excluded) == 0)
			list->items[list->count++] = i;
	sort_by_estimate(search, list);
	for (size_t i = 0; i < list->count && kept < GAIN_COMBINED_MOST; i++)
		if (!has_better_rival(search, list, i))
			list->items[kept++] = list->items[i];
	list->count = kept;
}

/* Compares one set; true if it is a sure gain. */
static bool compare_one(
    struct search *search, const char *what, gain_set set, gain_set reference, double level)
{
	struct list one = {{add_trial(search, set, reference)}, 1};

	if (search->subject->begin != NULL)
		search->subject->begin(search->subject->context, what, 1);
	compare(search, &one, level);
	return is_sure(trial_at(search, &one, 0));
}

/* Adds to the best setting, one by one, what makes it better. */
static void combine(struct search *search)
{
	struct gain_result *result = search->result;
	struct list additions;

	list_additions(search, result->best, &additions);
	double level = GAIN_FALSE / 2 / (double)(additions.count + 1);
	for (size_t i = 0; i < additions.count && !result->ended; i++) {
		gain_set more = trial_at(search, &additions, i)->set;
		if ((more & excluded_by(search, result->best)) != 0)
			continue;
		if (compare_one(
			search, "added to the best", result->best | more, result->best, level)) {
			result->best |= more;
			result->has_whole = false;
		}
	}
}

/*
 * Compares the best once more with new pairs, later than those that made it the best: a machine
 * that was different for a while makes a gain, too. If a combination is no sure gain then, the best
 * setting alone may be.
 */
static void confirm(struct search *search)
{
	struct gain_result *result = search->result;
	const gain_set alone = result->trials[result->best_one].set;

	while (result->best != 0 && !result->ended && !result->confirmed) {
		size_t number = result->trial_count;
		bool sure = compare_one(search, "compared once more", result->best, 0, GAIN_FALSE);
		result->trials[number].again = result->best == alone;
		if (sure) {
			result->best_one = number;
			result->confirmed = result->has_whole = true;
		} else if (!result->ended) {
			result->best = result->best != alone ? alone : 0;
			result->has_whole = false;
		}
	}
}

/* The best of the settings alone whose gain is sure. */
static void choose_best(struct search *search)
{
	struct gain_result *result = search->result;

	for (size_t i = 0; i < result->trial_count; i++) {
		const struct gain_trial *trial = &result->trials[i];
		if (is_sure(trial) &&
		    (result->best == 0 ||
			trial->judgement.estimate >
			    result->trials[result->best_one].judgement.estimate)) {
			result->best = trial->set;
			result->best_one = i;
			result->has_whole = true;
		}
	}
}

/* Trials at which the search has ended have an estimate, too. */
static void estimate_unfinished(struct gain_result *result)
{
	for (size_t i = 0; i < result->trial_count; i++) {
		struct gain_trial *trial = &result->trials[i];
		bool judged = trial->count > 0;
		if (trial->state == GAIN_TRIED && (judged || trial->screened_count > 0))
			trial->judgement.estimate =
			    signed_rank_estimate(judged ? trial->differences : trial->screened,
				judged ? trial->count : trial->screened_count);
	}
}

void gain_search(const struct gain_subject *subject, struct gain_result *result)
{
	struct search search = {
	    .subject = subject, .result = result, .random = subject->seed, .unchanged = NAN};
	struct list list = {.count = subject->setting_count};

	memset(result, 0, sizeof *result);
	for (size_t i = 0; i < list.count; i++)
		list.items[i] = add_trial(&search, (gain_set)1 << i, 0);
	if (screen(&search, &list) && list.count > 0) {
		if (subject->begin != NULL)
			subject->begin(subject->context, "compared until it is sure", list.count);
		compare(&search, &list, GAIN_FALSE / 2 / (double)list.count);
	}
	choose_best(&search);
	if (result->best != 0 && !result->ended)
		combine(&search);
	confirm(&search);
	estimate_unfinished(result);
}

const struct gain_trial *gain_search_compare(
    const struct gain_subject *subject, struct gain_result *result, gain_set set)
{
	const size_t number = result->trial_count;
	struct search search = {.subject = subject,
	    .result = result,
	    .random = subject->seed + number,
	    .unchanged = NAN};

	compare_one(&search, "compared once more", set, 0, GAIN_FALSE);
	estimate_unfinished(result);
	return &result->trials[number];
}
