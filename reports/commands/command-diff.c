/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport diff BEFORE... vs AFTER...: what became slower or faster between the two sides. Each
 * side is one run or several. With --threshold, the exit status is 3 if the wall time or a region
 * became slower, that is, if
 *
 *   - it grew by more than the threshold (the median, or with pairs the most likely growth), and
 *   - it grew by at least --min-change, so that very short times do not count, and
 *   - if a side has several runs, the growth is more than chance explains, at a level of
 *     --chance for all tests together.
 *
 * With --paired, the exit status is 4 if nothing became slower but something is undecided.
 */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "diff-comparison.h"
#include "memory.h"
#include "run-interval.h"
#include "streams.h"

/* When a column is present; the rows are filled in the order of the columns. */
enum column_use { ALWAYS, OF_REGIONS, OF_SAMPLES, OF_COUNTER, OF_THRESHOLD, USES };

/* What the rows are, by options->hot. */
static const struct {
	const char *key, *column; /* of the names */
	const char *title, *one, *many;
} subjects[] = {
    [HOT_NONE] = {"region", "file:line construct", "REGIONS", "region", "regions"},
    [HOT_LINES] = {"place", "file:line function", "HOT LINES", "line", "lines"},
    [HOT_FUNCTIONS] = {"place", "function", "HOT FUNCTIONS", "function", "functions"},
    [HOT_PATHS] = {"path", "call path", "HOT PATHS", "path", "paths"},
};

static const struct {
	enum column_use use;
	struct table_column column;
} all_columns[] = {
    {ALWAYS, {NULL, NULL, CELL_TEXT, 0}}, /* of `subjects` */
    {OF_THRESHOLD, {"verdict", "verdict", CELL_TEXT, 16}},
    {ALWAYS, {"change_ns", "change", CELL_DELTA, 12}},
    {ALWAYS, {"ratio", "B / A", CELL_FACTOR, 11}},
    {ALWAYS, {"time_a_ns", "time A", CELL_TIME, 9}},
    {ALWAYS, {"time_b_ns", "time B", CELL_TIME, 10}},
    {ALWAYS, {"spread_a_ns", "spread", CELL_TIME, 5}},
    {ALWAYS, {"spread_b_ns", "spread", CELL_TIME, 6}},
    {OF_REGIONS, {"visits_a", "calls A", CELL_COUNT, 3}},
    {OF_REGIONS, {"visits_b", "calls B", CELL_COUNT, 4}},
    {OF_SAMPLES, {"samples_a", "samples A", CELL_COUNT, 3}},
    {OF_SAMPLES, {"samples_b", "samples B", CELL_COUNT, 4}},
    {ALWAYS, {"wait_a_ns", "wait A", CELL_TIME, 7}},
    {ALWAYS, {"wait_b_ns", "wait B", CELL_TIME, 8}},
    {OF_COUNTER, {"counter_ratio", "counter B / A", CELL_FACTOR, 15}},
    {OF_COUNTER, {"counter_a", "counter A", CELL_COUNT, 13}},
    {OF_COUNTER, {"counter_b", "counter B", CELL_COUNT, 14}},
    {ALWAYS, {"chance", NULL, CELL_FACTOR, 0}},
    {OF_COUNTER, {"counter_chance", NULL, CELL_FACTOR, 0}},
    {ALWAYS, {"slower", NULL, CELL_COUNT, 0}},
    {OF_THRESHOLD, {"more_pairs", NULL, CELL_COUNT, 0}},
};

/* A line that grew by less of the thread time is not worth a sentence. */
#define LINE_WORTH_TELLING 0.01

enum { COLUMNS_MOST = sizeof(all_columns) / sizeof(all_columns[0]) };

struct comparison {
	const struct options *options;
	struct diff_comparison sides;
	struct run_interval interval;
	struct table_column columns[COLUMNS_MOST];
	size_t column_count;
	char *title;
	struct diff_findings findings;
	size_t unmatched;  /* regions that only b has */
	size_t more_pairs; /* needed to decide everything that is undecided, as in diff_verdict */
};

/* One measured value of both sides, for each run; NULL: the side has none. */
struct pair {
	const uint64_t *a, *b;
};

static uint64_t median_of(const uint64_t *values, const struct diff_side *side)
{
	return values ? diff_median(values, side->count) : 0;
}

static void put_medians(
    struct table *table, const struct comparison *comparison, struct pair values)
{
	table_put_number(
	    table, values.a ? median_of(values.a, &comparison->sides.a) : SUMMARY_NOT_MEASURED);
	table_put_number(
	    table, values.b ? median_of(values.b, &comparison->sides.b) : SUMMARY_NOT_MEASURED);
}

static void put_spreads(
    struct table *table, const struct comparison *comparison, struct pair values)
{
	table_put_number(table,
	    values.a ? diff_spread(values.a, comparison->sides.a.count) : SUMMARY_NOT_MEASURED);
	table_put_number(table,
	    values.b ? diff_spread(values.b, comparison->sides.b.count) : SUMMARY_NOT_MEASURED);
}

/* "time +12.0%, median 10ms before and 11.2ms after" */
static char *describe(const char *what, const struct diff_samples *samples, double ratio)
{
	char before[SUMMARY_FIGURE_SIZE], after[SUMMARY_FIGURE_SIZE];
	uint64_t a = diff_median(samples->a, samples->count_a);
	uint64_t b = diff_median(samples->b, samples->count_b);
	char *(*format)(char *, uint64_t) =
	    samples->is_time ? summary_format_time : summary_format_count;

	return memory_print("%s %+.1f%%, median %s before and %s after", what, (ratio - 1) * 100,
	    format(before, a), format(after, b));
}

/*
 * Records a tested subject for the exit status and for other programs. Takes ownership of
 * `subject`.
 */
static void keep_finding(struct comparison *comparison, const struct diff_row *row, char *subject)
{
	const struct diff_verdicts *verdicts = &row->verdicts;
	const struct diff_rule *rule = &comparison->sides.rule;
	bool timed = diff_is_tested(rule, &verdicts->times);
	bool counted = verdicts->has_counter && diff_is_tested(rule, &verdicts->counts);
	/*
	 * Shows the measure that is certain of a growth; otherwise the counter, which is less
	 * noisy.
	 */
	bool shows_time = !counted || (row->state == DIFF_SLOWER && !verdicts->counter.slower);

	if (rule->threshold < 0 || !(timed || counted)) {
		free(subject);
		return;
	}
	diff_findings_add(&comparison->findings, row->state, subject, row->region->file,
	    row->region->begin_line,
	    shows_time ? describe("time", &verdicts->times, verdicts->time.ratio)
		       : describe(comparison->options->measure, &verdicts->counts,
			     verdicts->counter.ratio));
}

static void put_times(struct table *table, const struct comparison *comparison,
    const struct diff_region *a, const struct diff_region *b, double ratio)
{
	struct pair times = {a ? a->times : NULL, b ? b->times : NULL};

	table_put_delta(table, (int64_t)(median_of(times.b, &comparison->sides.b) -
					 median_of(times.a, &comparison->sides.a)));
	table_put_ratio(table, ratio);
	put_medians(table, comparison, times);
	put_spreads(table, comparison, times);
	put_medians(table, comparison, (struct pair){a ? a->visits : NULL, b ? b->visits : NULL});
	put_medians(table, comparison, (struct pair){a ? a->waits : NULL, b ? b->waits : NULL});
}

static void need_pairs(struct comparison *comparison, size_t more)
{
	if (more > comparison->more_pairs)
		comparison->more_pairs = more;
}

/* Adds a row if the options select it. */
static void put_region(
    struct table *table, struct comparison *comparison, const struct diff_row *row)
{
	const struct diff_region *a = row->a, *b = row->b;
	const struct diff_verdicts *verdicts = &row->verdicts;
	char *name = report_region_name(row->region);

	/* Samples were chosen by their construct. */
	if (comparison->options->hot == HOT_NONE &&
	    !report_takes_region(comparison->options, name)) {
		free(name);
		return;
	}
	table_put_text(table, name);
	if (comparison->options->threshold >= 0)
		table_put_text(table, a && b ? diff_state_names[row->state] : b ? "new" : "gone");
	put_times(table, comparison, a, b, verdicts->time.ratio);
	if (verdicts->has_counter) {
		table_put_ratio(table, verdicts->counter.ratio);
		put_medians(
		    table, comparison, (struct pair){a ? a->counts : NULL, b ? b->counts : NULL});
	}
	table_put_ratio(table, verdicts->time.chance);
	if (verdicts->has_counter)
		table_put_ratio(table, verdicts->counter.chance);
	table_put_number(table, row->state == DIFF_SLOWER);
	if (comparison->options->threshold >= 0)
		table_put_number(
		    table, row->state != DIFF_UNDECIDED || row->more_pairs == DIFF_TOO_MANY
			       ? SUMMARY_NOT_MEASURED
			       : row->more_pairs);
	need_pairs(comparison, row->more_pairs);
	comparison->unmatched += !a;
	keep_finding(comparison, row, name);
}

static void add_counter_facts(struct table *table, const struct comparison *comparison)
{
	const struct diff_side *a = &comparison->sides.a, *b = &comparison->sides.b;
	enum cell_kind kind = b->counts_time ? CELL_TIME : CELL_COUNT;
	uint64_t before = diff_median(a->counts, a->count),
		 after = diff_median(b->counts, b->count);

	table_add_text(table, "counter", "counter", comparison->options->measure);
	table_add_number(table, "counter_a", "in parallel regions, A", kind, before);
	table_add_number(table, "counter_b", "in parallel regions, B", kind, after);
	table_add_ratio(table, "counter_ratio", "B / A", CELL_FACTOR, summary_share(after, before));
}

static bool has_snapshots(const struct diff_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		if (side->runs[i].summary.began != 0)
			return true;
	return false;
}

static void add_snapshot_notes(struct table *table, const struct comparison *comparison)
{
	const struct diff_comparison *sides = &comparison->sides;

	if (comparison->interval.is_one_run)
		table_add_note(table,
		    "Both are snapshots of one run: change is what the run spent between them.");
	if (has_snapshots(&sides->a) || has_snapshots(&sides->b))
		table_add_note(
		    table, "Constructs that were open when a snapshot was taken are not in it.");
}

static void add_facts(struct table *table, const struct comparison *comparison)
{
	const struct diff_side *a = &comparison->sides.a, *b = &comparison->sides.b;
	uint64_t before = diff_median(a->walls, a->count), after = diff_median(b->walls, b->count);

	if (diff_has_several_runs(&comparison->sides)) {
		table_add_number(table, "runs_a", "runs A", CELL_COUNT, a->count);
		table_add_number(table, "runs_b", "runs B", CELL_COUNT, b->count);
	}
	table_add_number(table, "wall_a_ns", "wall time A", CELL_TIME, before);
	table_add_number(table, "wall_b_ns", "wall time B", CELL_TIME, after);
	if (diff_has_several_runs(&comparison->sides)) {
		table_add_number(table, "wall_spread_a_ns", "spread of A", CELL_TIME,
		    diff_spread(a->walls, a->count));
		table_add_number(table, "wall_spread_b_ns", "spread of B", CELL_TIME,
		    diff_spread(b->walls, b->count));
	}
	table_add_ratio(table, "wall_ratio", "B / A", CELL_FACTOR, summary_share(after, before));
	if (comparison->interval.is_one_run)
		table_add_number(table, "interval_ns", "interval from A to B", CELL_TIME,
		    comparison->interval.length);
	if (comparison->options->measure)
		add_counter_facts(table, comparison);
	report_note_all(table, comparison->options,
	    "Efficiencies and numbers of threads are those of all threads.");
	table_add_ratio(table, "efficiency_a", "efficiency A", CELL_SHARE,
	    diff_median_share(a, diff_efficiency));
	table_add_ratio(table, "efficiency_b", "efficiency B", CELL_SHARE,
	    diff_median_share(b, diff_efficiency));
	if (comparison->interval.is_one_run)
		table_add_ratio(table, "efficiency_interval", "efficiency of the interval",
		    CELL_SHARE, comparison->interval.efficiency);
	table_add_number(table, "threads_a", "threads A", CELL_COUNT, a->runs[0].summary.threads);
	table_add_number(table, "threads_b", "threads B", CELL_COUNT, b->runs[0].summary.threads);
	add_snapshot_notes(table, comparison);
	if (a->runs[0].summary.threads != b->runs[0].summary.threads)
		table_add_note(
		    table, "The numbers of threads differ: ompreport scaling compares such runs.");
}

/* The subjects in one state: the whole, a number of regions, or both. */
struct judged {
	bool whole;
	size_t regions;
};

/*
 * Adds a note on what no row of the table tells: how much is undecided, and what would decide it.
 */
static void add_undecided(
    struct table *table, const struct comparison *comparison, const struct judged *undecided)
{
	double percent = comparison->options->threshold * 100;
	/* With a counter, the wall time need not be decided: see keep_whole(). */
	const char *whole = comparison->options->measure ? "The counter's sum" : "The wall time";
	enum hot_kind kind = comparison->options->hot;
	char *regions = memory_print("%zu %s", undecided->regions,
	    undecided->regions == 1 ? subjects[kind].one : subjects[kind].many);
	char *subject = memory_print("%s%s%s", undecided->whole ? whole : "",
	    undecided->whole && undecided->regions > 0 ? " and " : "",
	    undecided->regions > 0 ? regions : "");

	if (comparison->more_pairs == DIFF_TOO_MANY)
		table_add_note(table,
		    "%s may have grown by more than %g%%: these pairs of runs differ too much to tell. "
		    "If further pairs differ as these do, %d pairs are not enough to decide it; longer runs "
		    "or a larger --threshold may.",
		    subject, percent, DIFF_PAIRS_MOST);
	else
		table_add_note(table,
		    "%s may have grown by more than %g%%: these pairs of runs differ too much to tell, or "
		    "are too few. If further pairs differ as these do, about %zu more %s it; longer "
		    "runs or a larger --threshold may, too.",
		    subject, percent, comparison->more_pairs,
		    comparison->more_pairs == 1 ? "pair decides" : "pairs decide");
	free(subject);
	free(regions);
}

static void add_notes(struct table *table, const struct comparison *comparison,
    const struct judged *slower, const struct judged *undecided)
{
	const struct options *options = comparison->options;

	table_add_note(table, "%s%zu %s grew by more than %g%%.",
	    slower->whole ? "The wall time and " : "", slower->regions, subjects[options->hot].many,
	    options->threshold * 100);
	if (comparison->unmatched > 0)
		table_add_note(table,
		    "%zu %s are new: only the wall time and sums show what they cost.",
		    comparison->unmatched, subjects[options->hot].many);
	if (undecided->whole || undecided->regions > 0)
		add_undecided(table, comparison, undecided);
	if (!diff_has_several_runs(&comparison->sides) && options->hot != HOT_NONE)
		table_add_note(table,
		    "With one run on each side the chance of the samples is known, but not how much runs "
		    "differ: compare several, ompreport diff BEFORE... vs AFTER...");
	else if (!diff_has_several_runs(&comparison->sides))
		table_add_note(table,
		    "With one run on each side a change cannot be distinguished from noise: compare several, "
		    "ompreport diff BEFORE... vs AFTER...");
}

static bool have_samples(const struct diff_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		if (!side->runs[i].analysis || side->runs[i].analysis->kinds[EVENT_SAMPLE] == 0 ||
		    hot_sample_time(side->runs[i].analysis) <= 0)
			return false;
	return true;
}

/* The row whose median grew most; NULL if none grew by 1 % of the thread time. */
static const struct diff_row *greatest_growth(const struct diff_comparison *lines)
{
	const struct diff_row *greatest = NULL;
	double most = (double)lines->time_whole * LINE_WORTH_TELLING;

	for (size_t i = 0; i < lines->row_count; i++) {
		const struct diff_row *row = &lines->rows[i];
		double growth = 0;

		if (row->a && row->b)
			growth = (double)diff_median(row->b->times, lines->b.count) -
				 (double)diff_median(row->a->times, lines->a.count);
		if (growth >= most && growth > 0) {
			most = growth;
			greatest = row;
		}
	}
	return greatest;
}

/* The table of regions does not tell which code takes longer. */
static void add_line(struct table *table, const struct comparison *comparison)
{
	struct option_matches matches = {false, false}; /* the filter is one of regions */
	struct options options = *comparison->options;
	struct diff_comparison lines;
	const struct diff_row *row = NULL;
	char before[SUMMARY_FIGURE_SIZE], after[SUMMARY_FIGURE_SIZE], *name;

	if (options.hot != HOT_NONE || !have_samples(&comparison->sides.a) ||
	    !have_samples(&comparison->sides.b))
		return;
	options.hot = HOT_LINES;
	options.measure = NULL;
	options.matches = &matches;
	if (diff_comparison_borrow(&lines, &comparison->sides, &options) == 0)
		row = greatest_growth(&lines);
	if (row) {
		name = report_region_name(row->region);
		table_add_note(table,
		    "Of all lines, %s grew most: from %s of processor time to %s. --lines, --functions and "
		    "--paths compare the code.",
		    name, summary_format_time(before, diff_median(row->a->times, lines.a.count)),
		    summary_format_time(after, diff_median(row->b->times, lines.b.count)));
		free(name);
	}
	diff_comparison_finish(&lines);
}

/* Records the result of the wall time or of the counter's sum. */
static enum diff_state keep_whole(struct comparison *comparison, const struct diff_samples *samples,
    const struct diff_verdict *verdict, const char *subject, const char *what)
{
	enum diff_state state = verdict->slower ? DIFF_SLOWER : DIFF_FINE;

	/* With a counter, the wall time of noisy runs need not be decided. */
	if (verdict->undecided && !comparison->options->measure)
		state = DIFF_UNDECIDED;
	if (state == DIFF_UNDECIDED)
		need_pairs(comparison, verdict->more_pairs);
	diff_findings_add(&comparison->findings, state, memory_copy_text(subject), NULL, 0,
	    describe(what, samples, verdict->ratio));
	return state;
}

static void choose_columns(struct comparison *comparison)
{
	bool used[USES] = {[ALWAYS] = true,
	    [OF_REGIONS] = comparison->options->hot == HOT_NONE,
	    [OF_SAMPLES] = comparison->options->hot != HOT_NONE,
	    [OF_COUNTER] = comparison->options->measure != NULL,
	    [OF_THRESHOLD] = comparison->options->threshold >= 0};

	for (size_t i = 0; i < COLUMNS_MOST; i++) {
		struct table_column *column = &comparison->columns[comparison->column_count];

		if (!used[all_columns[i].use])
			continue;
		*column = all_columns[i].column;
		if (all_columns[i].use == OF_COUNTER && column->kind == CELL_COUNT &&
		    comparison->sides.b.counts_time)
			column->kind = CELL_TIME;
		comparison->column_count++;
	}
	comparison->columns[0].key = subjects[comparison->options->hot].key;
	comparison->columns[0].title = subjects[comparison->options->hot].column;
}

/* The table's title, which the caller frees. */
static char *title_of(const struct comparison *comparison)
{
	enum hot_kind kind = comparison->options->hot;

	return memory_print("%s by %s (%s%s)", subjects[kind].title,
	    comparison->interval.is_one_run ? "time between the snapshots" : "change",
	    kind == HOT_NONE ? "sums over threads" : "processor time by samples",
	    !diff_has_several_runs(&comparison->sides)
		? ""
		: "; medians, spread: from the fastest run to the slowest");
}

static int fill(struct table *table, struct comparison *comparison)
{
	const struct options *options = comparison->options;
	const struct diff_verdicts *whole = &comparison->sides.whole.verdicts;
	struct judged slower, undecided;
	enum diff_state wall;

	choose_columns(comparison);
	table_init(table, "diff", comparison->title, comparison->columns, comparison->column_count);
	for (size_t i = 0; i < comparison->sides.row_count; i++)
		put_region(table, comparison, &comparison->sides.rows[i]);
	table_sort(table, "change_ns");
	add_facts(table, comparison);
	add_line(table, comparison);
	if (options->threshold < 0)
		return 0;
	table_sort(table, "slower");
	slower.regions = comparison->findings.counts[DIFF_SLOWER];
	undecided.regions = comparison->findings.counts[DIFF_UNDECIDED];
	wall = keep_whole(comparison, &whole->times, &whole->time, "wall time", "time");
	if (options->measure)
		keep_whole(comparison, &whole->counts, &whole->counter, "all parallel regions",
		    options->measure);
	slower.whole = wall == DIFF_SLOWER;
	undecided.whole = comparison->findings.counts[DIFF_UNDECIDED] > undecided.regions;
	add_notes(table, comparison, &slower, &undecided);
	if (comparison->findings.counts[DIFF_SLOWER] > 0)
		return 3;
	return comparison->findings.counts[DIFF_UNDECIDED] > 0 ? 4 : 0;
}

/* Without --threshold nothing is judged, so there is nothing to write. */
static bool check_options(const struct options *options, size_t first, size_t second)
{
	bool writes =
	    options->markdown || options->junit || options->code_quality || options->annotate;

	if (options->threshold < 0 && (options->paired || writes)) {
		fprintf(stream_messages(),
		    "ompreport diff: %s: expected --threshold as well, which says what growth counts\n",
		    options->paired         ? "--paired"
		    : options->markdown     ? "--markdown"
		    : options->junit        ? "--junit"
		    : options->code_quality ? "--code-quality"
					    : "--annotate");
		return false;
	}
	if (options->measure && options->hot != HOT_NONE) {
		fprintf(stream_messages(),
		    "ompreport diff: --measure='%s': counters are those of regions, not of %s\n",
		    options->measure, subjects[options->hot].many);
		return false;
	}
	return diff_check_pairs(options, "diff", first, second);
}

static int compare(struct comparison *comparison)
{
	const struct options *options = comparison->options;
	struct diff_rule rule = {.threshold = options->threshold,
	    .min_change = options->min_change,
	    .min_share = options->min_change_share,
	    .paired = options->paired};
	struct table table;
	int status;

	diff_comparison_judge(&comparison->sides, &rule, false);
	comparison->title = title_of(comparison);
	status = fill(&table, comparison);
	status = report_print(options, &table, status);
	table_finish(&table);
	free(comparison->title);
	if (status != 1 && status != 2 && diff_findings_write(&comparison->findings, options) != 0)
		status = 1;
	diff_findings_finish(&comparison->findings);
	return status;
}

int command_diff(const struct options *options)
{
	struct comparison comparison = {.options = options};
	size_t first, second;
	int status;

	if (!diff_find_sides(options, "diff", &first, &second) ||
	    !check_options(options, first, second))
		return 2;
	status = diff_comparison_read(&comparison.sides, options, first, second);
	if (status == 0 && !run_interval_find(&comparison.sides, &comparison.interval))
		status = 2;
	if (status == 0)
		status = compare(&comparison);
	diff_comparison_finish(&comparison.sides);
	return status;
}
