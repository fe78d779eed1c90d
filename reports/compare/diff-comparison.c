/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads and matches the sides and has everything judged: the common part of the commands that
 * compare runs.
 */
#include "diff-comparison.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "streams.h"

bool diff_find_sides(
    const struct options *options, const char *command, size_t *first, size_t *second)
{
	size_t words = 0;

	*first = 1;
	for (size_t i = 0; i < options->path_count; i++) {
		if (strcmp(options->paths[i], "vs") != 0)
			continue;
		*first = i;
		words++;
	}
	*second = options->path_count - *first - words;
	if (words == 1 ? *first > 0 && *second > 0 : words == 0 && *second == 1)
		return true;
	fprintf(stream_messages(),
	    "ompreport %s: %zu archives%s: expected two, or the runs of both sides with 'vs' in "
	    "between; see ompreport %s --help\n",
	    command, options->path_count - words, words ? " and 'vs'" : "", command);
	return false;
}

bool diff_check_pairs(
    const struct options *options, const char *command, size_t first, size_t second)
{
	if (!options->paired || first == second)
		return true;
	fprintf(stream_messages(),
	    "ompreport %s: --paired: %zu runs before 'vs' and %zu after it; expected as many, "
	    "each at the place of its partner\n",
	    command, first, second);
	return false;
}

bool diff_has_several_runs(const struct diff_comparison *comparison)
{
	return comparison->a.count > 1 || comparison->b.count > 1;
}

uint64_t diff_median_capacity(const struct diff_side *side)
{
	uint64_t *values = memory_new(side->count, sizeof(values[0])), median;

	for (size_t i = 0; i < side->count; i++)
		values[i] = side->runs[i].figures.chosen;
	median = diff_median(values, side->count);
	free(values);
	return median;
}

double diff_efficiency(const struct report *run)
{
	return run->figures.total;
}

double diff_median_share(const struct diff_side *side, double (*share_of)(const struct report *))
{
	uint64_t *values = memory_new(side->count, sizeof(values[0])), median;

	for (size_t i = 0; i < side->count; i++) {
		double share = share_of(&side->runs[i]);

		values[i] = share < 0 ? SUMMARY_NOT_MEASURED : (uint64_t)(share * 1e15);
	}
	median = diff_median(values, side->count);
	free(values);
	return median == SUMMARY_NOT_MEASURED ? -1 : (double)median / 1e15;
}

/* Makes the rows, without verdicts. */
static void match_regions(struct diff_comparison *comparison)
{
	const struct diff_side *a = &comparison->a, *b = &comparison->b;
	bool *taken = memory_new(a->region_count, sizeof(taken[0]));
	size_t *of_b = diff_match(a, b, taken);

	comparison->rows =
	    memory_new(a->region_count + b->region_count, sizeof(comparison->rows[0]));
	for (size_t i = 0; i < b->region_count; i++)
		comparison->rows[comparison->row_count++] = (struct diff_row){
		    .region = b->regions[i].region,
		    .a = of_b[i] == DIFF_UNMATCHED ? NULL : &a->regions[of_b[i]],
		    .b = &b->regions[i],
		};
	for (size_t i = 0; i < a->region_count; i++) {
		if (!taken[i])
			comparison->rows[comparison->row_count++] =
			    (struct diff_row){.region = a->regions[i].region, .a = &a->regions[i]};
	}
	free(of_b);
	free(taken);
}

/* What follows from the sides. */
static void prepare(struct diff_comparison *comparison)
{
	comparison->time_whole = diff_median_capacity(&comparison->b);
	if (comparison->options->measure)
		comparison->counter_whole = diff_median(comparison->b.counts, comparison->b.count);
	match_regions(comparison);
}

int diff_comparison_read(
    struct diff_comparison *comparison, const struct options *options, size_t first, size_t second)
{
	int status;

	*comparison = (struct diff_comparison){.options = options};
	status = diff_side_read(&comparison->a, options->paths, first, options);
	if (status == 0)
		status = diff_side_read(
		    &comparison->b, options->paths + options->path_count - second, second, options);
	if (status == 0)
		prepare(comparison);
	return status;
}

int diff_comparison_borrow(struct diff_comparison *comparison, const struct diff_comparison *other,
    const struct options *options)
{
	const char *const *second = options->paths + options->path_count - other->b.count;
	int status;

	*comparison = (struct diff_comparison){.options = options};
	status = diff_side_borrow(&comparison->a, &other->a, options->paths, options);
	if (status == 0)
		status = diff_side_borrow(&comparison->b, &other->b, second, options);
	if (status == 0)
		prepare(comparison);
	return status;
}

void diff_comparison_finish(struct diff_comparison *comparison)
{
	diff_side_finish(&comparison->a);
	diff_side_finish(&comparison->b);
	free(comparison->rows);
}

static struct diff_samples samples_of(const struct diff_comparison *comparison, const uint64_t *a,
    const uint64_t *b, uint64_t whole, bool is_time)
{
	return (struct diff_samples){
	    a, b, comparison->a.count, comparison->b.count, whole, is_time, NULL, NULL};
}

/* Collects the samples for the row's verdicts. */
static void take_samples(struct diff_comparison *comparison, struct diff_row *row)
{
	const struct diff_region *a = row->a, *b = row->b;

	row->verdicts = (struct diff_verdicts){
	    .times = samples_of(
		comparison, a ? a->times : NULL, b ? b->times : NULL, comparison->time_whole, true),
	    .counts = samples_of(comparison, a ? a->counts : NULL, b ? b->counts : NULL,
		comparison->counter_whole, comparison->b.counts_time),
	    .has_counter = comparison->options->measure != NULL,
	};
	if (comparison->options->hot != HOT_NONE) {
		row->verdicts.times.taken_a = a ? a->visits : NULL;
		row->verdicts.times.taken_b = b ? b->visits : NULL;
	}
}

static void take_samples_of_whole(struct diff_comparison *comparison)
{
	const struct diff_side *a = &comparison->a, *b = &comparison->b;

	comparison->whole.verdicts = (struct diff_verdicts){
	    .times =
		samples_of(comparison, a->walls, b->walls, diff_median(b->walls, b->count), true),
	    .counts = samples_of(comparison, a->counts, b->counts, comparison->counter_whole,
		comparison->b.counts_time),
	    .has_counter = comparison->options->measure != NULL,
	};
}

static struct diff_samples exchanged(const struct diff_samples *samples)
{
	return (struct diff_samples){samples->b, samples->a, samples->count_b, samples->count_a,
	    samples->whole, samples->is_time, samples->taken_b, samples->taken_a};
}

/*
 * If time or counter is slower, the row is slower. If one of the two is certain not to be slower,
 * the row is not undecided because of the other's noise.
 */
static enum diff_state state_of(const struct diff_rule *rule, const struct diff_verdicts *verdicts)
{
	bool timed = diff_is_tested(rule, &verdicts->times);
	bool counted = verdicts->has_counter && diff_is_tested(rule, &verdicts->counts);

	if (verdicts->time.slower || (counted && verdicts->counter.slower))
		return DIFF_SLOWER;
	if (!timed && !counted)
		return DIFF_FINE;
	return (!timed || verdicts->time.undecided) && (!counted || verdicts->counter.undecided)
		   ? DIFF_UNDECIDED
		   : DIFF_FINE;
}

/* The smaller number of pairs: of time or counter, the one that is decided first. */
static size_t more_pairs_of(const struct diff_verdicts *verdicts)
{
	size_t time = verdicts->time.undecided ? verdicts->time.more_pairs : DIFF_TOO_MANY;
	size_t counter = verdicts->counter.undecided ? verdicts->counter.more_pairs : DIFF_TOO_MANY;

	return time < counter ? time : counter;
}

static void judge_row(const struct diff_rule *rule, struct diff_row *row, bool both_ways)
{
	struct diff_verdicts *verdicts = &row->verdicts;
	struct diff_samples times = exchanged(&verdicts->times);

	verdicts->time = diff_judge(rule, &verdicts->times);
	verdicts->counter = diff_judge(rule, &verdicts->counts);
	row->state = state_of(rule, verdicts);
	row->more_pairs = row->state == DIFF_UNDECIDED ? more_pairs_of(verdicts) : 0;
	row->faster = both_ways && row->state != DIFF_SLOWER && diff_judge(rule, &times).slower;
}

static size_t count_tests(
    const struct diff_rule *rule, const struct diff_verdicts *verdicts, bool both_ways)
{
	struct diff_samples times = exchanged(&verdicts->times);

	return (size_t)diff_is_tested(rule, &verdicts->times) +
	       diff_is_tested(rule, &verdicts->counts) +
	       (both_ways && diff_is_tested(rule, &times));
}

void diff_comparison_judge(
    struct diff_comparison *comparison, const struct diff_rule *rule, bool both_ways)
{
	const struct options *options = comparison->options;
	bool by_samples = options->hot != HOT_NONE && !diff_has_several_runs(comparison);

	comparison->rule = *rule;
	comparison->tests = 1; /* the wall time */
	comparison->tests += both_ways;
	comparison->tests += options->measure != NULL;
	for (size_t i = 0; i < comparison->row_count; i++) {
		take_samples(comparison, &comparison->rows[i]);
		comparison->tests += count_tests(rule, &comparison->rows[i].verdicts, both_ways);
	}
	comparison->rule.chance_max = diff_share_chance(options->chance, comparison->tests,
	    !rule->paired && !by_samples, comparison->a.count, comparison->b.count);
	for (size_t i = 0; i < comparison->row_count; i++)
		judge_row(&comparison->rule, &comparison->rows[i], both_ways);
	take_samples_of_whole(comparison);
	judge_row(&comparison->rule, &comparison->whole, both_ways);
}
