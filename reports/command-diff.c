/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport diff A B: what got slower or faster from A to B. Regions are matched by file,
 * construct, name and line; those of a file that moved (same construct and name, another line) by
 * their order among themselves. With --threshold, the exit status is 3 when the wall time or a
 * region that matters grew by more than that.
 */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report.h"

/* A region with less of B's thread time than this never decides about the exit status. */
#define SHARE_THAT_MATTERS 0.01

static const struct table_column columns[] = {
    {"region", "file:line construct", CELL_TEXT, 0},
    {"change_ns", "change", CELL_DELTA, 12},
    {"ratio", "B / A", CELL_FACTOR, 11},
    {"time_a_ns", "time A", CELL_TIME, 9},
    {"time_b_ns", "time B", CELL_TIME, 10},
    {"visits_a", "calls A", CELL_COUNT, 4},
    {"visits_b", "calls B", CELL_COUNT, 5},
    {"wait_a_ns", "wait A", CELL_TIME, 7},
    {"wait_b_ns", "wait B", CELL_TIME, 8},
    {"slower", NULL, CELL_COUNT, 0},
};

#define UNMATCHED SIZE_MAX

struct pairing {
	const struct summary *a, *b;
	size_t *of_b; /* by region of b: its region of a, or UNMATCHED */
	bool *taken;  /* by region of a */
};

static const char *text_of(const char *text)
{
	return text ? text : "";
}

/* Folders do not count: the two may have been built in different places. */
static int compare_names(const struct summary_region *one, const struct summary_region *other)
{
	int result = strcmp(summary_base_name(one->file), summary_base_name(other->file));

	if (result == 0)
		result = strcmp(text_of(one->name), text_of(other->name));
	return result ? result : strcmp(text_of(one->sub_name), text_of(other->sub_name));
}

static int compare_places(const struct summary_region *one, const struct summary_region *other)
{
	int result = compare_names(one, other);

	return result
		   ? result
		   : (one->begin_line > other->begin_line) - (one->begin_line < other->begin_line);
}

static int compare_indices(const void *left, const void *right, void *context)
{
	const struct summary_region *regions = context;
	size_t one = *(const size_t *)left, other = *(const size_t *)right;
	int result = compare_places(&regions[one], &regions[other]);

	return result ? result : (one > other) - (one < other);
}

static size_t *sorted_regions(const struct summary *summary)
{
	size_t *order = memory_new(summary->region_count, sizeof(order[0]));

	for (size_t i = 0; i < summary->region_count; i++)
		order[i] = i;
	qsort_r(order, summary->region_count, sizeof(order[0]), compare_indices,
	    (void *)summary->regions);
	return order;
}

/* Goes through both sides in their order and pairs what is equal and still free. */
static void match(struct pairing *pairing, const size_t *order_a, const size_t *order_b,
    int (*compare)(const struct summary_region *, const struct summary_region *))
{
	size_t a = 0, b = 0;

	while (a < pairing->a->region_count && b < pairing->b->region_count) {
		size_t one = order_a[a], other = order_b[b];
		int result = compare(&pairing->a->regions[one], &pairing->b->regions[other]);

		if (pairing->taken[one]) {
			a++;
		} else if (pairing->of_b[other] != UNMATCHED) {
			b++;
		} else if (result == 0) {
			pairing->of_b[other] = one;
			pairing->taken[one] = true;
		} else {
			*(result < 0 ? &a : &b) += 1;
		}
	}
}

static void pair_regions(struct pairing *pairing)
{
	size_t *order_a = sorted_regions(pairing->a), *order_b = sorted_regions(pairing->b);

	pairing->of_b = memory_new(pairing->b->region_count, sizeof(pairing->of_b[0]));
	pairing->taken = memory_new(pairing->a->region_count, sizeof(pairing->taken[0]));
	for (size_t b = 0; b < pairing->b->region_count; b++)
		pairing->of_b[b] = UNMATCHED;
	match(pairing, order_a, order_b, compare_places);
	match(pairing, order_a, order_b, compare_names);
	free(order_a);
	free(order_b);
}

static bool grew(uint64_t a, uint64_t b, double threshold)
{
	return threshold >= 0 && b > a && (double)(b - a) > (double)a * threshold;
}

static void put_number_of(struct table *table, const struct summary_region *region, uint64_t number)
{
	table_put_number(table, region ? number : SUMMARY_NOT_MEASURED);
}

/* One row; a or b is NULL for a region that only the other has. Returns whether it is slower. */
static bool put_pair(struct table *table, const struct summary_region *a,
    const struct summary_region *b, double threshold, uint64_t capacity)
{
	uint64_t before = a ? a->time : 0, after = b ? b->time : 0;
	bool slower =
	    grew(before, after, threshold) && summary_share(after, capacity) >= SHARE_THAT_MATTERS;

	table_put_delta(table, (int64_t)(after - before));
	table_put_ratio(table, before ? (double)after / (double)before : -1);
	put_number_of(table, a, before);
	put_number_of(table, b, after);
	put_number_of(table, a, a ? a->visits : 0);
	put_number_of(table, b, b ? b->visits : 0);
	put_number_of(table, a, a ? summary_add(a->barrier_wait, a->enter_wait) : 0);
	put_number_of(table, b, b ? summary_add(b->barrier_wait, b->enter_wait) : 0);
	table_put_number(table, slower);
	return slower;
}

static bool put_named(struct table *table, const struct options *options,
    const struct summary_region *a, const struct summary_region *b, uint64_t capacity)
{
	char *name = report_region_name(b ? b : a);
	bool slower = false;

	if (report_takes_region(options, name)) {
		table_put_text(table, name);
		slower = put_pair(table, a, b, options->threshold, capacity);
	}
	free(name);
	return slower;
}

static uint64_t put_regions(struct table *table, const struct options *options,
    const struct report *a, const struct report *b)
{
	struct pairing pairing = {.a = &a->summary, .b = &b->summary};
	uint64_t slower = 0;

	pair_regions(&pairing);
	for (size_t i = 0; i < pairing.b->region_count; i++)
		slower += put_named(table, options,
		    pairing.of_b[i] == UNMATCHED ? NULL : &pairing.a->regions[pairing.of_b[i]],
		    &pairing.b->regions[i], b->figures.capacity);
	for (size_t i = 0; i < pairing.a->region_count; i++) {
		if (!pairing.taken[i])
			put_named(
			    table, options, &pairing.a->regions[i], NULL, b->figures.capacity);
	}
	free(pairing.of_b);
	free(pairing.taken);
	return slower;
}

static int fill(struct table *table, const struct options *options, const struct report *a,
    const struct report *b)
{
	uint64_t before = a->summary.wall, after = b->summary.wall, slower;
	bool wall = grew(before, after, options->threshold);

	table_init(table, "diff", "REGIONS by change (all threads)", columns,
	    sizeof(columns) / sizeof(columns[0]));
	slower = put_regions(table, options, a, b);
	table_sort(table, "change_ns");
	table_add_number(table, "wall_a_ns", "wall time A", CELL_TIME, before);
	table_add_number(table, "wall_b_ns", "wall time B", CELL_TIME, after);
	table_add_ratio(table, "wall_ratio", "B / A", CELL_FACTOR,
	    before ? (double)after / (double)before : -1);
	table_add_ratio(table, "efficiency_a", "efficiency A", CELL_SHARE, a->figures.total);
	table_add_ratio(table, "efficiency_b", "efficiency B", CELL_SHARE, b->figures.total);
	table_add_number(table, "threads_a", "threads A", CELL_COUNT, a->summary.threads);
	table_add_number(table, "threads_b", "threads B", CELL_COUNT, b->summary.threads);
	if (a->summary.threads != b->summary.threads)
		table_add_note(
		    table, "The numbers of threads differ: ompreport scaling compares such runs.");
	if (options->threshold < 0)
		return 0;
	table_add_note(table,
	    "%s%llu regions of at least 1%% of the thread time grew by more than %g%%.",
	    wall ? "The wall time and " : "", (unsigned long long)slower, options->threshold * 100);
	return wall || slower ? 3 : 0;
}

int command_diff(const struct options *options)
{
	struct report a, b;
	struct table table;
	int status = 1;

	if (report_read(&a, options->paths[0], options) == 0) {
		if (report_read(&b, options->paths[1], options) == 0) {
			status = fill(&table, options, &a, &b);
			status = report_print(options, &table, status);
			table_finish(&table);
		}
		report_finish(&b);
	}
	report_finish(&a);
	return status;
}
