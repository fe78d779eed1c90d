/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport diff BEFORE... vs AFTER...: what got slower or faster from the one side to the other.
 * Each side is one run or several, of which medians are compared. With --threshold, the exit status
 * is 3 when the wall time or a region got slower:
 *
 *   - its median grew by more than the threshold, and
 *   - by at least --min-change, so that what takes hardly any time decides nothing, and
 *   - where a side has several runs, by more than chance explains: the rank sum test, at a level of
 *     SIGNIFICANT for all that is tested together. Few runs cannot reach that level: then each run
 *     of the one side has to be slower than each of the other.
 */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "diff-side.h"
#include "memory.h"
#include "rank-sum.h"

#define SIGNIFICANT 0.05

static const struct table_column columns[] = {
    {"region", "file:line construct", CELL_TEXT, 0},
    {"change_ns", "change", CELL_DELTA, 12},
    {"ratio", "B / A", CELL_FACTOR, 11},
    {"time_a_ns", "time A", CELL_TIME, 9},
    {"time_b_ns", "time B", CELL_TIME, 10},
    {"spread_a_ns", "spread", CELL_TIME, 5},
    {"spread_b_ns", "spread", CELL_TIME, 6},
    {"visits_a", "calls A", CELL_COUNT, 3},
    {"visits_b", "calls B", CELL_COUNT, 4},
    {"wait_a_ns", "wait A", CELL_TIME, 7},
    {"wait_b_ns", "wait B", CELL_TIME, 8},
    {"chance", NULL, CELL_FACTOR, 0},
    {"slower", NULL, CELL_COUNT, 0},
};

struct comparison {
	const struct options *options;
	struct diff_side a, b;
	uint64_t capacity; /* thread time of b, the median of its runs */
	double chance_max; /* of a growth that counts */
};

/* One measured thing of both sides, a value of each run; NULL: a side has none. */
struct pair {
	const uint64_t *a, *b;
};

static uint64_t median_of(const uint64_t *values, const struct diff_side *side)
{
	return values ? diff_median(values, side->count) : 0;
}

static bool has_several_runs(const struct comparison *comparison)
{
	return comparison->a.count > 1 || comparison->b.count > 1;
}

/* How likely a growth at least as clear is by chance; -1 where there are only single runs. */
static double chance_of(const struct comparison *comparison, struct pair times)
{
	if (!has_several_runs(comparison) || !times.a || !times.b)
		return -1;
	return rank_sum_chance(times.b, comparison->b.count, times.a, comparison->a.count);
}

/* whole: what a --min-change in per cent is of. */
static bool is_slower(const struct comparison *comparison, struct pair times, uint64_t whole)
{
	const struct options *options = comparison->options;
	uint64_t a = median_of(times.a, &comparison->a), b = median_of(times.b, &comparison->b);
	double growth = (double)b - (double)a;

	return options->threshold >= 0 && growth > 0 && growth > (double)a * options->threshold &&
	       growth >= (double)options->min_change &&
	       growth >= (double)whole * options->min_change_share &&
	       chance_of(comparison, times) <= comparison->chance_max;
}

static void put_medians(
    struct table *table, const struct comparison *comparison, struct pair values)
{
	table_put_number(
	    table, values.a ? median_of(values.a, &comparison->a) : SUMMARY_NOT_MEASURED);
	table_put_number(
	    table, values.b ? median_of(values.b, &comparison->b) : SUMMARY_NOT_MEASURED);
}

static void put_spreads(
    struct table *table, const struct comparison *comparison, struct pair values)
{
	table_put_number(
	    table, values.a ? diff_spread(values.a, comparison->a.count) : SUMMARY_NOT_MEASURED);
	table_put_number(
	    table, values.b ? diff_spread(values.b, comparison->b.count) : SUMMARY_NOT_MEASURED);
}

/*
 * Adds a row, where the options take it; a or b is NULL for what only the other side has. True: it
 * is slower.
 */
static bool put_region(struct table *table, const struct comparison *comparison,
    const struct diff_region *a, const struct diff_region *b)
{
	// cppcheck-suppress nullPointerRedundantCheck ; one of both is there
	char *name = report_region_name(b ? b->region : a->region);
	struct pair times = {a ? a->times : NULL, b ? b->times : NULL};
	uint64_t before = median_of(times.a, &comparison->a);
	uint64_t after = median_of(times.b, &comparison->b);
	bool slower = is_slower(comparison, times, comparison->capacity);

	if (!report_takes_region(comparison->options, name)) {
		free(name);
		return false;
	}
	table_put_text(table, name);
	free(name);
	table_put_delta(table, (int64_t)(after - before));
	table_put_ratio(table, before ? (double)after / (double)before : -1);
	put_medians(table, comparison, times);
	put_spreads(table, comparison, times);
	put_medians(table, comparison, (struct pair){a ? a->visits : NULL, b ? b->visits : NULL});
	put_medians(table, comparison, (struct pair){a ? a->waits : NULL, b ? b->waits : NULL});
	table_put_ratio(table, chance_of(comparison, times));
	table_put_number(table, slower);
	return slower;
}

/*
 * With several tests at once each has to be the clearer, the more there are. Regions that take too
 * little time to be slower by --min-change are not tested.
 */
static double highest_chance(const struct comparison *comparison)
{
	double least = rank_sum_least_chance(comparison->b.count, comparison->a.count);
	double whole = (double)comparison->capacity * comparison->options->min_change_share;
	size_t tests = 1; /* the wall time */
	double each;

	for (size_t i = 0; i < comparison->b.region_count; i++) {
		double time = (double)median_of(comparison->b.regions[i].times, &comparison->b);

		tests += time >= whole && time >= (double)comparison->options->min_change;
	}
	each = SIGNIFICANT / (double)tests;
	/* Rounding must not exclude the clearest result. */
	return each > least ? each : least * (1 + 1e-9);
}

static uint64_t put_regions(struct table *table, const struct comparison *comparison)
{
	const struct diff_side *a = &comparison->a, *b = &comparison->b;
	bool *taken = memory_new(a->region_count, sizeof(taken[0]));
	size_t *of_b = diff_match(a, b, taken);
	uint64_t slower = 0;

	for (size_t i = 0; i < b->region_count; i++)
		slower += put_region(table, comparison,
		    of_b[i] == DIFF_UNMATCHED ? NULL : &a->regions[of_b[i]], &b->regions[i]);
	for (size_t i = 0; i < a->region_count; i++) {
		if (!taken[i])
			put_region(table, comparison, &a->regions[i], NULL);
	}
	free(of_b);
	free(taken);
	return slower;
}

static uint64_t median_capacity(const struct diff_side *side)
{
	uint64_t *values = memory_new(side->count, sizeof(values[0])), median;

	for (size_t i = 0; i < side->count; i++)
		values[i] = side->runs[i].figures.capacity;
	median = diff_median(values, side->count);
	free(values);
	return median;
}

static double median_efficiency(const struct diff_side *side)
{
	uint64_t *values = memory_new(side->count, sizeof(values[0])), median;

	for (size_t i = 0; i < side->count; i++) {
		double share = side->runs[i].figures.total;

		values[i] = share < 0 ? SUMMARY_NOT_MEASURED : (uint64_t)(share * 1e15);
	}
	median = diff_median(values, side->count);
	free(values);
	return median == SUMMARY_NOT_MEASURED ? -1 : (double)median / 1e15;
}

static void add_facts(struct table *table, const struct comparison *comparison)
{
	const struct diff_side *a = &comparison->a, *b = &comparison->b;
	uint64_t before = diff_median(a->walls, a->count), after = diff_median(b->walls, b->count);

	if (has_several_runs(comparison)) {
		table_add_number(table, "runs_a", "runs A", CELL_COUNT, a->count);
		table_add_number(table, "runs_b", "runs B", CELL_COUNT, b->count);
	}
	table_add_number(table, "wall_a_ns", "wall time A", CELL_TIME, before);
	table_add_number(table, "wall_b_ns", "wall time B", CELL_TIME, after);
	if (has_several_runs(comparison)) {
		table_add_number(table, "wall_spread_a_ns", "spread of A", CELL_TIME,
		    diff_spread(a->walls, a->count));
		table_add_number(table, "wall_spread_b_ns", "spread of B", CELL_TIME,
		    diff_spread(b->walls, b->count));
	}
	table_add_ratio(table, "wall_ratio", "B / A", CELL_FACTOR,
	    before ? (double)after / (double)before : -1);
	table_add_ratio(table, "efficiency_a", "efficiency A", CELL_SHARE, median_efficiency(a));
	table_add_ratio(table, "efficiency_b", "efficiency B", CELL_SHARE, median_efficiency(b));
	table_add_number(table, "threads_a", "threads A", CELL_COUNT, a->runs[0].summary.threads);
	table_add_number(table, "threads_b", "threads B", CELL_COUNT, b->runs[0].summary.threads);
	if (a->runs[0].summary.threads != b->runs[0].summary.threads)
		table_add_note(
		    table, "The numbers of threads differ: ompreport scaling compares such runs.");
}

static int fill(struct table *table, const struct comparison *comparison)
{
	const struct options *options = comparison->options;
	struct pair walls = {comparison->a.walls, comparison->b.walls};
	bool wall =
	    is_slower(comparison, walls, diff_median(comparison->b.walls, comparison->b.count));
	uint64_t slower;

	table_init(table, "diff",
	    has_several_runs(comparison)
		? "REGIONS by change (all threads; medians, spread: from the fastest run to the slowest)"
		: "REGIONS by change (all threads)",
	    columns, sizeof(columns) / sizeof(columns[0]));
	slower = put_regions(table, comparison);
	table_sort(table, "change_ns");
	add_facts(table, comparison);
	if (options->threshold < 0)
		return 0;
	table_add_note(table, "%s%llu regions grew by more than %g%%.",
	    wall ? "The wall time and " : "", (unsigned long long)slower, options->threshold * 100);
	if (!has_several_runs(comparison))
		table_add_note(table,
		    "With one run on each side a change cannot be distinguished from noise: compare several, "
		    "ompreport diff BEFORE... vs AFTER...");
	return wall || slower ? 3 : 0;
}

/* How many archives are before "vs" and after it; without the word there are two. */
static bool find_sides(const struct options *options, size_t *first, size_t *second)
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
	fprintf(stderr,
	    "ompreport diff: %zu archives%s: expected two, or the runs of both sides with 'vs' in "
	    "between; see ompreport diff --help\n",
	    options->path_count - words, words ? " and 'vs'" : "");
	return false;
}

int command_diff(const struct options *options)
{
	struct comparison comparison = {.options = options};
	size_t first, second;
	struct table table;
	int status;

	if (!find_sides(options, &first, &second))
		return 2;
	status = diff_side_read(&comparison.a, options->paths, first, options);
	if (status == 0)
		status = diff_side_read(
		    &comparison.b, options->paths + options->path_count - second, second, options);
	if (status == 0) {
		comparison.capacity = median_capacity(&comparison.b);
		comparison.chance_max = highest_chance(&comparison);
		status = fill(&table, &comparison);
		status = report_print(options, &table, status);
		table_finish(&table);
	}
	diff_side_finish(&comparison.a);
	diff_side_finish(&comparison.b);
	return status;
}
