/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport scaling --regions: a law for each region (scaling-law.h), and its prediction for two,
 * four and eight times the threads. The law excludes the region's imbalance: predictions add it in
 * the proportion that was measured with the most threads.
 */
#include "scaling-regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "scaling-law.h"

#define SERIAL_PART "serial part"
#define TEAMS_PART  "fork and join"

enum { TARGETS = 3 };

static const unsigned factors[TARGETS] = {2, 4, 8};

struct prediction {
	double time, low, high; /* ns elapsed */
	bool is_sure;
};

struct scaling_series {
	char *name;
	struct scaling_point *points; /* without the imbalance */
	size_t count, room;
	/* Sums over the runs with the most threads so far, in ns elapsed. */
	double last_threads, rest, imbalance;
	size_t last_runs;
	struct scaling_law law;
	struct prediction predictions[TARGETS];
};

static struct scaling_series *find(struct scaling_regions *regions, const char *name)
{
	struct scaling_series *series;

	for (size_t i = 0; i < regions->count; i++) {
		if (strcmp(regions->series[i].name, name) == 0)
			return &regions->series[i];
	}
	series = MEMORY_ADD(regions->series, regions->room, regions->count);
	*series = (struct scaling_series){.name = memory_copy_text(name)};
	return series;
}

/* rest, imbalance: ns elapsed. */
static void add(struct scaling_regions *regions, const char *name, double threads, double rest,
    double imbalance)
{
	struct scaling_series *series;

	if (!(rest > 0))
		return;
	series = find(regions, name);
	*MEMORY_ADD(series->points, series->room, series->count) =
	    (struct scaling_point){threads, rest};
	if (threads > series->last_threads) {
		series->last_threads = threads;
		series->rest = series->imbalance = 0;
		series->last_runs = 0;
	}
	if (threads == series->last_threads) {
		series->rest += rest;
		series->imbalance += imbalance;
		series->last_runs++;
	}
}

static double measured(uint64_t time)
{
	return time == SUMMARY_NOT_MEASURED ? 0 : (double)time;
}

void scaling_regions_add(struct scaling_regions *regions, const struct report *report)
{
	const struct summary *summary = &report->summary;
	double threads = summary->threads > 0 ? (double)summary->threads : 1;

	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *region = &summary->regions[i];
		double time = measured(region->self) + measured(region->barrier_wait) +
			      measured(region->enter_wait);
		double imbalance =
		    fmin(measured(region->imbalance), measured(region->barrier_wait));
		char *name = report_region_name(region);

		add(regions, name, threads, (time - imbalance) / threads, imbalance / threads);
		free(name);
	}
	add(regions, SERIAL_PART, threads, measured(summary->wall) - measured(summary->parallel),
	    0);
	add(regions, TEAMS_PART, threads, measured(summary->management) / threads, 0);
	if (threads > regions->most_threads)
		regions->most_threads = threads;
}

static void predict(struct scaling_series *series, double most_threads)
{
	series->law = scaling_law_fit(series->points, series->count);
	for (int i = 0; i < TARGETS; i++) {
		struct prediction *prediction = &series->predictions[i];
		double grown = 1 + series->imbalance / series->rest;

		prediction->is_sure = scaling_law_predict(&series->law, most_threads * factors[i],
		    &prediction->time, &prediction->low, &prediction->high);
		if (!series->law.is_known)
			continue;
		prediction->time *= grown;
		prediction->low *= grown;
		prediction->high *= grown;
	}
}

static double elapsed(const struct scaling_series *series)
{
	return (series->rest + series->imbalance) / (double)series->last_runs;
}

/*
 * Sorts by time with eight times the threads, longest first; by the current time if there is no
 * law.
 */
static int compare_series(const void *left, const void *right)
{
	const struct scaling_series *one = left, *other = right;
	double mine = one->law.is_known ? one->predictions[TARGETS - 1].time : elapsed(one);
	double its = other->law.is_known ? other->predictions[TARGETS - 1].time : elapsed(other);

	if (mine != its)
		return mine > its ? -1 : 1;
	return strcmp(one->name, other->name);
}

static const struct table_column columns[] = {
    {"region", "region", CELL_TEXT, 0},
    {"elapsed_ns", "now", CELL_TIME, 9},
    {"serial_share", "serial", CELL_SHARE, 6},
    {"contention_share", "contention", CELL_SHARE, 5},
    {"imbalance_share", "imbalance", CELL_SHARE, 4},
    {"at_2x_ns", "at 2x", CELL_TIME, 8},
    {"at_2x_low_ns", NULL, CELL_TIME, 0},
    {"at_2x_high_ns", NULL, CELL_TIME, 0},
    {"at_4x_ns", "at 4x", CELL_TIME, 7},
    {"at_4x_low_ns", NULL, CELL_TIME, 0},
    {"at_4x_high_ns", NULL, CELL_TIME, 0},
    {"at_8x_ns", "at 8x", CELL_TIME, 10},
    {"at_8x_low_ns", NULL, CELL_TIME, 0},
    {"at_8x_high_ns", NULL, CELL_TIME, 0},
    {"sure", "sure", CELL_TEXT, 3},
};

/*
 * The terms of the law on `threads` threads, and the imbalance, as parts of a whole. The law does
 * not pass through each point exactly, so its terms can be longer than what was measured there.
 */
static void put_shares(struct table *table, const struct scaling_series *series, double threads)
{
	double imbalance = series->imbalance / (series->rest + series->imbalance);
	double whole, low, high;

	scaling_law_predict(&series->law, threads, &whole, &low, &high);
	if (series->law.is_known && whole > 0) {
		table_put_ratio(table, (1 - imbalance) * series->law.serial / whole);
		table_put_ratio(
		    table, (1 - imbalance) * series->law.contention * (threads - 1) / whole);
	} else {
		table_put_ratio(table, -1);
		table_put_ratio(table, -1);
	}
	table_put_ratio(table, imbalance);
}

static void put_predictions(struct table *table, const struct scaling_series *series)
{
	int sure = 0;

	for (int i = 0; i < TARGETS; i++) {
		const struct prediction *prediction = &series->predictions[i];
		bool has_error = series->law.is_known && series->law.freedom > 0;

		table_put_number(table,
		    series->law.is_known ? (uint64_t)prediction->time : SUMMARY_NOT_MEASURED);
		table_put_number(
		    table, has_error ? (uint64_t)prediction->low : SUMMARY_NOT_MEASURED);
		table_put_number(
		    table, has_error ? (uint64_t)prediction->high : SUMMARY_NOT_MEASURED);
		sure += prediction->is_sure;
	}
	table_put_text(table, sure == TARGETS ? "yes" : sure > 0 ? "to some" : "cannot tell");
}

/* Adds which region takes most with that many times the threads, and how certain that is. */
static void add_limit(struct table *table, const struct scaling_regions *regions, int target)
{
	unsigned long long threads = (unsigned long long)regions->most_threads * factors[target];
	const struct scaling_series *worst = NULL;
	double sum = 0;
	char time[SUMMARY_FIGURE_SIZE], low[SUMMARY_FIGURE_SIZE], high[SUMMARY_FIGURE_SIZE];
	char share[SUMMARY_FIGURE_SIZE];

	for (size_t i = 0; i < regions->count; i++) {
		const struct scaling_series *series = &regions->series[i];
		if (!series->law.is_known)
			continue;
		sum += series->predictions[target].time;
		if (!worst || series->predictions[target].time > worst->predictions[target].time)
			worst = series;
	}
	if (!worst || !worst->predictions[target].is_sure) {
		table_add_note(table, "On %llu threads: cannot tell.", threads);
		return;
	}
	table_add_note(table, "On %llu threads %s limits: %s (%s to %s), %s of all.", threads,
	    worst->name, summary_format_time(time, (uint64_t)worst->predictions[target].time),
	    summary_format_time(low, (uint64_t)worst->predictions[target].low),
	    summary_format_time(high, (uint64_t)worst->predictions[target].high),
	    summary_format_share(share, worst->predictions[target].time / sum));
}

void scaling_regions_fill(struct table *table, struct scaling_regions *regions)
{
	bool any = false;

	table_init(table, "scaling_regions",
	    "SCALING by region: elapsed time now and with more threads, by a law for each", columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < regions->count; i++) {
		predict(&regions->series[i], regions->most_threads);
		any |= regions->series[i].law.is_known;
	}
	if (regions->count > 1)
		qsort(regions->series, regions->count, sizeof(regions->series[0]), compare_series);
	for (size_t i = 0; i < regions->count; i++) {
		const struct scaling_series *series = &regions->series[i];

		table_put_text(table, series->name);
		table_put_number(table, (uint64_t)elapsed(series));
		put_shares(table, series, regions->most_threads);
		put_predictions(table, series);
	}
	for (int i = 0; i < TARGETS && any; i++)
		add_limit(table, regions, i);
	if (!any)
		table_add_note(table,
		    "Cannot tell: a law needs runs with three numbers of threads, and its error a fourth "
		    "run.");
}

void scaling_regions_finish(struct scaling_regions *regions)
{
	for (size_t i = 0; i < regions->count; i++) {
		free(regions->series[i].name);
		free(regions->series[i].points);
	}
	free(regions->series);
}
