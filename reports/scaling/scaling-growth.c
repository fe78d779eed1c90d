/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport scaling --growth: the same program has the same work on any number of threads. What it
 * has more of is a loss that no wait shows. A construct's work is what ran in it itself, without
 * waits and nested constructs; without the time in which threads lacked a processor or were
 * blocked, which is none. Of the growth are known: what the kernel worked more (page faults,
 * mostly), what a slower clock explains, and how much bandwidth that is shared explains at most.
 */
#include "scaling-growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/machine-figures.h"
#include "memory.h"

#define SERIAL_PART  "serial part"
#define INSTRUCTIONS "PAPI_TOT_INS"

enum { FEWEST_SURE = 2 }; /* runs of each number of threads for an interval */

/* Sums over the runs with one number of threads. */
struct work_sum {
	size_t runs;
	double work, least_work, most_work; /* ns */
	double system, faults, visits;      /* ns, and counts */
	double instructions;                /* negative: not counted */
};

struct grown_region {
	char *name;
	bool is_task; /* its visits are tasks */
	struct work_sum few, many;
};

static struct grown_region *find(struct scaling_growth *growth, const char *name)
{
	for (size_t i = 0; i < growth->count; i++) {
		if (strcmp(growth->regions[i].name, name) == 0)
			return &growth->regions[i];
	}
	struct grown_region *region = MEMORY_ADD(growth->regions, growth->room, growth->count);
	*region = (struct grown_region){.name = memory_copy_text(name)};
	return region;
}

/* Forgets the runs with a number of threads that is no longer the least, or the most. */
static void widen(struct scaling_growth *growth, uint64_t threads)
{
	bool first = growth->least == 0, fewer = first || threads < growth->least;
	bool more = first || threads > growth->most;

	for (size_t i = 0; i < growth->count && (fewer || more); i++) {
		if (fewer)
			growth->regions[i].few = (struct work_sum){0};
		if (more)
			growth->regions[i].many = (struct work_sum){0};
	}
	if (fewer)
		growth->least = threads;
	if (more)
		growth->most = threads;
}

static double measured(uint64_t value)
{
	return value == SUMMARY_NOT_MEASURED ? 0 : (double)value;
}

static void add_run(struct work_sum *sum, const struct work_sum *run)
{
	sum->least_work = sum->runs == 0 ? run->work : fmin(sum->least_work, run->work);
	sum->most_work = sum->runs == 0 ? run->work : fmax(sum->most_work, run->work);
	sum->runs++;
	sum->work += run->work;
	sum->system += run->system;
	sum->faults += run->faults;
	sum->visits += run->visits;
	sum->instructions = run->instructions < 0 ? -1 : sum->instructions + run->instructions;
}

static void add(struct scaling_growth *growth, uint64_t threads, const char *name, bool is_task,
    const struct work_sum *run)
{
	struct grown_region *region = find(growth, name);

	region->is_task = is_task;
	if (threads == growth->least)
		add_run(&region->few, run);
	if (threads == growth->most)
		add_run(&region->many, run);
}

static int instructions_of(const struct summary *summary)
{
	for (size_t i = 0; i < summary->metric_count; i++) {
		if (strcmp(summary->metrics[i].name, INSTRUCTIONS) == 0)
			return (int)i;
	}
	return -1;
}

void scaling_growth_add(struct scaling_growth *growth, const struct report *report)
{
	const struct summary *summary = &report->summary;
	uint64_t threads = summary->threads > 0 ? summary->threads : 1;
	int counted = instructions_of(summary);

	widen(growth, threads);
	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *region = &summary->regions[i];
		char *name = report_region_name(region);

		if (region->self != SUMMARY_NOT_MEASURED)
			add(growth, threads, name, strcmp(region->name, "task") == 0,
			    &(struct work_sum){.work = measured(region->self),
				.system = measured(region->system),
				.faults = measured(region->faults),
				.visits = measured(region->visits),
				.instructions = counted >= 0 && region->metrics
						    ? (double)region->metrics[counted]
						    : -1});
		free(name);
	}
	add(growth, threads, SERIAL_PART, false,
	    &(struct work_sum){
		.work = measured(report->figures.categories[SUMMARY_SERIAL]), .instructions = -1});
}

static double mean_of(double sum, const struct work_sum *of)
{
	return sum / (double)of->runs;
}

static double grown(const struct grown_region *region)
{
	return mean_of(region->many.work, &region->many) - mean_of(region->few.work, &region->few);
}

static int compare_regions(const void *left, const void *right)
{
	const struct grown_region *one = left, *other = right;
	double mine = grown(one), its = grown(other);

	if (mine != its)
		return mine > its ? -1 : 1;
	return strcmp(one->name, other->name);
}

static const struct table_column columns[] = {
    {"region", "region", CELL_TEXT, 0},
    {"work_ns", "work", CELL_TIME, 8},
    {"grown_work_ns", "then", CELL_TIME, 9},
    {"growth", "growth", CELL_FACTOR, 12},
    {"growth_low", "from", CELL_FACTOR, 7},
    {"growth_high", "to", CELL_FACTOR, 7},
    {"more_ns", "more", CELL_DELTA, 11},
    {"more_in_kernel_ns", "kernel", CELL_DELTA, 6},
    {"more_by_clock_ns", "clock", CELL_DELTA, 4},
    {"most_by_bandwidth_ns", "bandwidth", CELL_DELTA, 5},
    {"more_faults", NULL, CELL_DELTA, 0},
    {"instructions_growth", "instr", CELL_FACTOR, 3},
    {"tasks_growth", "tasks", CELL_FACTOR, 2},
};

/* What the machine explains, as factors of the work with few threads; negative: not known. */
struct machine_limits {
	double clock, bandwidth;
	bool is_known;
};

static struct machine_limits find_limits(uint64_t least, uint64_t most)
{
	struct machine_limits limits = {-1, -1, false};
	struct machine_figures figures;
	char path[PATH_MAX];

	if (!machine_figures_path(path) || machine_figures_read(path, &figures) != 0)
		return limits;
	const struct machine_row *few = machine_row_of(&figures, (unsigned)least);
	const struct machine_row *many = machine_row_of(&figures, (unsigned)most);
	if (few && many) {
		limits.clock = fmax(many->chain_time / few->chain_time, 1);
		limits.bandwidth =
		    fmax((double)most / (double)least * few->bandwidth / many->bandwidth, 1);
		limits.is_known = true;
	}
	return limits;
}

static void put_difference(struct table *table, double from, double to)
{
	table_put_delta(table, (int64_t)(to - from));
}

static void put_region(
    struct table *table, const struct grown_region *region, const struct machine_limits *limits)
{
	const struct work_sum *few = &region->few, *many = &region->many;
	double work = mean_of(few->work, few), then = mean_of(many->work, many);
	double system = mean_of(few->system, few);
	bool is_sure = few->runs >= FEWEST_SURE && many->runs >= FEWEST_SURE;
	double program = fmax(work - system, 0);

	table_put_text(table, region->name);
	table_put_number(table, (uint64_t)work);
	table_put_number(table, (uint64_t)then);
	table_put_ratio(table, work > 0 ? then / work : -1);
	table_put_ratio(table, is_sure ? many->least_work / few->most_work : -1);
	table_put_ratio(
	    table, is_sure && few->least_work > 0 ? many->most_work / few->least_work : -1);
	put_difference(table, work, then);
	put_difference(table, system, mean_of(many->system, many));
	if (limits->is_known) {
		put_difference(table, program, program * limits->clock);
		put_difference(table, program, program * limits->bandwidth);
	} else {
		table_put_delta(table, TABLE_NO_DELTA);
		table_put_delta(table, TABLE_NO_DELTA);
	}
	put_difference(table, mean_of(few->faults, few), mean_of(many->faults, many));
	table_put_ratio(
	    table, few->instructions > 0 && many->instructions > 0
		       ? mean_of(many->instructions, many) / mean_of(few->instructions, few)
		       : -1);
	table_put_ratio(
	    table, region->is_task ? mean_of(many->visits, many) / mean_of(few->visits, few) : -1);
}

/* Keeps the regions that had work in runs of both numbers of threads. */
static size_t keep_compared(struct scaling_growth *growth)
{
	size_t kept = 0;

	for (size_t i = 0; i < growth->count; i++) {
		struct grown_region region = growth->regions[i];
		if (region.few.runs > 0 && region.many.runs > 0 &&
		    region.few.work + region.many.work > 0)
			growth->regions[kept++] = region;
		else
			free(region.name);
	}
	growth->count = kept;
	return kept;
}

static void add_notes(
    struct table *table, const struct scaling_growth *growth, const struct machine_limits *limits)
{
	unsigned long long least = growth->least, most = growth->most;

	if (least == most) {
		table_add_note(table, "All runs have %llu threads: nothing can have grown.", most);
		return;
	}
	table_add_note(table, "Work of runs with %llu thread%s, then with %llu.", least,
	    least == 1 ? "" : "s", most);
	if (!limits->is_known)
		table_add_note(table,
		    "What clock and bandwidth explain is not known: 'ompinst machine' measures it, for "
		    "runs of this machine.");
	else
		table_add_note(table,
		    "On this machine %llu threads make work that is limited by bandwidth alone grow "
		    "%.2f times, and the clock all of it %.2f times (measured by 'ompinst machine'). "
		    "What is beyond that, and not the kernel's, has other reasons: caches that are "
		    "shared, lines that move between them, more instructions.",
		    most, limits->bandwidth, limits->clock);
}

void scaling_growth_fill(struct table *table, struct scaling_growth *growth)
{
	struct machine_limits limits = find_limits(growth->least, growth->most);

	table_init(table, "scaling_growth",
	    "GROWN WORK: what threads work more when there are more of them", columns,
	    sizeof(columns) / sizeof(columns[0]));
	if (keep_compared(growth) > 1)
		qsort(growth->regions, growth->count, sizeof(growth->regions[0]), compare_regions);
	for (size_t i = 0; i < growth->count && growth->least != growth->most; i++)
		put_region(table, &growth->regions[i], &limits);
	add_notes(table, growth, &limits);
}

void scaling_growth_finish(struct scaling_growth *growth)
{
	for (size_t i = 0; i < growth->count; i++)
		free(growth->regions[i].name);
	free(growth->regions);
}
